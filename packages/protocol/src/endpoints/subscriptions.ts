import { z } from 'zod/mini';
import { endpoint, json } from '../endpoint.ts';
import { subscription } from '../entities.ts';

/** https://zulip.com/api/get-subscriptions */
export const getSubscriptions = endpoint('GET', '/users/me/subscriptions', {
  parameters: { include_subscribers: json(z._default(z.boolean(), false)) },
  answer: z.object({ subscriptions: z.array(subscription) }),
});
