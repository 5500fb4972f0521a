import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

/** In its own file, because it loads the schemas of all events, which a client needs only after it has registered. */
export const getEvents = callOf(endpoints.getEvents);
