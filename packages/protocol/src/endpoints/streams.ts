import { z } from 'zod';
import { endpoint, json, text } from '../endpoint.ts';
import { stream } from '../entities.ts';

/** https://zulip.com/api/get-streams: ordered by name. */
export const getStreams = endpoint('GET', '/streams', {
  parameters: {
    include_public: json(z.boolean().default(true)),
    include_web_public: json(z.boolean().default(false)),
    include_subscribed: json(z.boolean().default(true)),
    /** Lists all streams. Refused unless the caller is an administrator. */
    include_all_active: json(z.boolean().default(false), { aliases: ['include_all'] }),
    include_default: json(z.boolean().default(false)),
    include_owner_subscribed: json(z.boolean().default(false)),
    exclude_archived: json(z.boolean().default(true)),
  },
  answer: z.object({ streams: z.array(stream) }),
});

/** https://zulip.com/api/get-stream-by-id */
export const getStream = endpoint('GET', '/streams/{stream_id}', { answer: z.object({ stream }) });

/** https://zulip.com/api/get-stream-id */
export const getStreamId = endpoint('GET', '/get_stream_id', {
  parameters: { stream: text(z.string()) },
  answer: z.object({ stream_id: z.int() }),
});

/** https://zulip.com/api/get-stream-topics: the topic with the newest message first. */
export const getTopics = endpoint('GET', '/users/me/{stream_id}/topics', {
  answer: z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) }),
});

/** https://zulip.com/api/update-stream: by the creator and administrators. Other settings must have their current value. */
export const updateStream = endpoint('PATCH', '/streams/{stream_id}', {
  parameters: {
    new_name: text(z.string().optional()),
    description: text(z.string().optional()),
    is_private: json(z.boolean().optional()),
    is_web_public: json(z.boolean().optional()),
    history_public_to_subscribers: json(z.boolean().optional()),
    stream_post_policy: json(z.int().optional()),
    is_announcement_only: json(z.boolean().optional()),
    is_default_stream: json(z.boolean().optional()),
    message_retention_days: json(z.union([z.int(), z.string()]).optional()),
    can_remove_subscribers_group: json(z.unknown().optional()),
  },
});

/** https://zulip.com/api/archive-stream: by the creator and administrators. */
export const deleteStream = endpoint('DELETE', '/streams/{stream_id}');
