import { z } from 'zod';
import { endpoint, text } from '../endpoint.ts';

/** https://zulip.com/api/fetch-api-key */
export const fetchApiKey = endpoint('POST', '/fetch_api_key', {
  authentication: 'none',
  parameters: { username: text(z.string()), password: text(z.string().max(1000)) },
  answer: z.object({ api_key: z.string(), email: z.string(), user_id: z.int().optional() }),
});

/** https://zulip.com/api/get-server-settings */
export const getServerSettings = endpoint('GET', '/server_settings', {
  authentication: 'none',
  answer: z.object({
    authentication_methods: z.record(z.string(), z.boolean()),
    external_authentication_methods: z.array(z.unknown()),
    zulip_version: z.string(),
    zulip_feature_level: z.int().default(0),
    zulip_merge_base: z.string().optional(),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.boolean().optional(),
    require_email_format_usernames: z.boolean().optional(),
    realm_uri: z.string().optional(),
    realm_url: z.string().optional(),
    realm_name: z.string().optional(),
    realm_icon: z.string().optional(),
    realm_description: z.string().optional(),
    realm_web_public_access_enabled: z.boolean().optional(),
    /** Ours: the name of the software, and which extensions of the API it has. */
    server_software: z.string().optional(),
    server_extensions: z.array(z.string()).optional(),
  }),
});
