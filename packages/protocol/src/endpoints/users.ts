import { z } from 'zod';
import { endpoint, json } from '../endpoint.ts';
import { subscription, user } from '../entities.ts';

/** https://zulip.com/api/get-users */
export const getUsers = endpoint({
  method: 'GET',
  path: '/users',
  parameters: {
    client_gravatar: json(z.boolean().default(true)),
    include_custom_profile_fields: json(z.boolean().default(false)),
  },
  answer: z.object({ members: z.array(user) }),
});

/** https://zulip.com/api/get-own-user */
export const getOwnUser = endpoint({
  method: 'GET',
  path: '/users/me',
  parameters: {},
  answer: user.extend({ max_message_id: z.int().optional() }),
});

/** https://zulip.com/api/get-subscriptions */
export const getSubscriptions = endpoint({
  method: 'GET',
  path: '/users/me/subscriptions',
  parameters: { include_subscribers: json(z.boolean().default(false)) },
  answer: z.object({ subscriptions: z.array(subscription) }),
});
