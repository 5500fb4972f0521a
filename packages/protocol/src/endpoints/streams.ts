import { z } from 'zod/mini';
import { endpoint, json, text } from '../endpoint.ts';
import { stream } from '../entities.ts';

/** https://zulip.com/api/get-streams: ordered by name. */
export const getStreams = endpoint('GET', '/streams', {
  parameters: {
    include_public: json(z._default(z.boolean(), true)),
    include_web_public: json(z._default(z.boolean(), false)),
    include_subscribed: json(z._default(z.boolean(), true)),
    /** Lists all streams. Refused unless the caller is an administrator. */
    include_all_active: json(z._default(z.boolean(), false), { aliases: ['include_all'] }),
    include_default: json(z._default(z.boolean(), false)),
    include_owner_subscribed: json(z._default(z.boolean(), false)),
    exclude_archived: json(z._default(z.boolean(), true)),
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

/** https://zulip.com/api/add-default-stream: new members join it. By administrators, only public streams. */
export const addDefaultStream = endpoint('POST', '/default_streams', { parameters: { stream_id: json(z.int()) } });

/** https://zulip.com/api/remove-default-stream: by administrators. */
export const removeDefaultStream = endpoint('DELETE', '/default_streams', { parameters: { stream_id: json(z.int()) } });

/** https://zulip.com/api/delete-topic: by administrators. `complete` is false if messages are left. */
export const deleteTopic = endpoint('POST', '/streams/{stream_id}/delete_topic', {
  parameters: { topic_name: text(z.string()) },
  answer: z.object({ complete: z.boolean() }),
});

/** https://zulip.com/api/get-subscribers: the ids of active members. */
export const getSubscribers = endpoint('GET', '/streams/{stream_id}/members', {
  answer: z.object({ subscribers: z.array(z.int()) }),
});

/** https://zulip.com/api/get-stream-email-address: always refused, because nobody posts to a stream by email. */
export const getStreamEmailAddress = endpoint('GET', '/streams/{stream_id}/email_address', {
  answer: z.object({ email: z.string() }),
});

/** https://zulip.com/api/get-stream-topics: the topic with the newest message first. */
export const getTopics = endpoint('GET', '/users/me/{stream_id}/topics', {
  answer: z.object({ topics: z.array(z.object({ name: z.string(), max_id: z.int() })) }),
});

/** https://zulip.com/api/update-stream: by the creator and administrators. Other settings must have their current value. */
export const updateStream = endpoint('PATCH', '/streams/{stream_id}', {
  parameters: {
    new_name: text(z.optional(z.string())),
    description: text(z.optional(z.string())),
    is_private: json(z.optional(z.boolean())),
    is_web_public: json(z.optional(z.boolean())),
    history_public_to_subscribers: json(z.optional(z.boolean())),
    stream_post_policy: json(z.optional(z.int())),
    is_announcement_only: json(z.optional(z.boolean())),
    is_default_stream: json(z.optional(z.boolean())),
    message_retention_days: json(z.optional(z.union([z.int(), z.string()]))),
    can_remove_subscribers_group: json(z.optional(z.unknown())),
  },
});

/** https://zulip.com/api/archive-stream: by the creator and administrators. */
export const deleteStream = endpoint('DELETE', '/streams/{stream_id}');
