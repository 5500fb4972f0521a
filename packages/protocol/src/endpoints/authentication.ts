import { z } from 'zod/mini';
import { endpoint, text } from '../endpoint.ts';

/** https://zulip.com/api/fetch-api-key */
export const fetchApiKey = endpoint('POST', '/fetch_api_key', {
  authentication: 'none',
  parameters: { username: text(z.string()), password: text(z.string().check(z.maxLength(1000))) },
  answer: z.object({ api_key: z.string(), email: z.string(), user_id: z.optional(z.int()) }),
});

/** https://zulip.com/api/get-server-settings */
export const getServerSettings = endpoint('GET', '/server_settings', {
  authentication: 'none',
  answer: z.object({
    authentication_methods: z.record(z.string(), z.boolean()),
    external_authentication_methods: z.array(z.unknown()),
    zulip_version: z.string(),
    zulip_feature_level: z._default(z.int(), 0),
    zulip_merge_base: z.optional(z.string()),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.optional(z.boolean()),
    require_email_format_usernames: z.optional(z.boolean()),
    realm_uri: z.optional(z.string()),
    realm_url: z.optional(z.string()),
    realm_name: z.optional(z.string()),
    realm_icon: z.optional(z.string()),
    realm_description: z.optional(z.string()),
    realm_web_public_access_enabled: z.optional(z.boolean()),
    /** Ours: the name of the software, and which extensions of the API it has. */
    server_software: z.optional(z.string()),
    server_extensions: z.optional(z.array(z.string())),
  }),
});
