import * as endpoints from '@engawa/protocol';
import { callOf } from './callOf.ts';

export const registerQueue = callOf(endpoints.registerQueue);
