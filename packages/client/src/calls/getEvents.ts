import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

/** Not beside the other calls of event queues: it brings the schemas of all events, which a client needs only after it has registered. */
export const getEvents = callOf(endpoints.getEvents);
