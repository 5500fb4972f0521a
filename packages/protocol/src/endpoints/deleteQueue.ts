import { z } from 'zod/mini';
import { endpoint, text } from '../endpoint.ts';

/** https://zulip.com/api/delete-queue */
export const deleteQueue = endpoint('DELETE', '/events', { parameters: { queue_id: text(z.string()) }, answer: z.object({}) });
