import { type Viewer, asZulip, postingAddress, settingKeys } from './answers.ts';
import { type Fields, isFields, pick } from './fields.ts';

/** The keys of each type of event in the recordings. Events of other types are not delivered. */
const keysOf: Readonly<Record<string, string>> = {
  alert_words: 'alert_words',
  delete_message: 'message_id message_ids message_type stream_id topic',
  drafts: 'op drafts draft draft_id',
  message: 'flags local_message_id message',
  presence: 'email presence server_timestamp user_id',
  reaction: 'emoji_code emoji_name message_id op reaction_type user user_id',
  realm: 'data op property value',
  realm_user: 'op person',
  stream: 'history_public_to_subscribers is_web_public name op property rendered_description stream_id streams value',
  subscription: 'op property stream_id stream_ids subscriptions user_ids value',
  typing: 'message_type op recipients sender stream_id topic',
  update_message: `content edit_timestamp flags is_me_message message_id message_ids new_stream_id orig_content
    orig_rendered_content orig_subject propagate_mode rendered_content rendering_only stream_id stream_name subject topic_links
    user_id`,
  update_message_flags: 'all flag message_details messages op operation',
  user_settings: 'op property value',
  user_status: 'emoji_code emoji_name reaction_type status_text user_id',
};

const streamProperties = `name description invite_only stream_post_policy is_announcement_only message_retention_days
  history_public_to_subscribers can_remove_subscribers_group`.split(/\s+/);
const personKeys = 'user_id full_name role avatar_url avatar_url_medium avatar_source avatar_version email timezone';
const settings = settingKeys.split(/\s+/);

export interface EventSources {
  readonly viewer: Viewer;
  /** A user as `GET /users/{id}` answers it. */
  user(id: number): Promise<Fields>;
}

/** The events of a real server, without ids, in place of one event of the chat server inside. */
export async function eventsAsZulip(event: Fields, sources: EventSources): Promise<readonly Fields[]> {
  const type = String(event['type']);
  const keys = keysOf[type];
  if (keys === undefined) return [];
  const changed = await changes[type]?.(event, sources);
  return (changed ?? [event]).map((each) => {
    const walked = asZulip(pick(each, keys), sources.viewer);
    return { type, ...(isFields(walked) ? walked : {}) };
  });
}

type Change = (event: Fields, sources: EventSources) => readonly Fields[] | Promise<readonly Fields[]>;

const changes: Readonly<Record<string, Change>> = {
  realm(event) {
    if (event['op'] === 'update') return [event];
    const { read_receipts: _, ...data } = isFields(event['data']) ? event['data'] : {};
    return Object.entries(data).map(([property, value]) =>
      property === 'message_content_edit_limit_seconds'
        ? { op: 'update_dict', property: 'default', data: { [property]: value } }
        : { op: 'update', property, value },
    );
  },

  async realm_user(event, { user }) {
    const person = isFields(event['person']) ? event['person'] : {};
    if (event['op'] !== 'update') return [event];
    // A member's address of sign-in is nobody else's business, and the shown one never changes.
    if ('new_email' in person || 'delivery_email' in person) return [];
    if (!('is_active' in person)) return [{ ...event, person: pick(person, personKeys) }];
    const { user_id, full_name, ...rest } = await user(Number(person['user_id']));
    if (person['is_active'] === true) return [{ op: 'add', person: { user_id, full_name, ...rest } }];
    return [{ op: 'remove', person: { user_id, full_name } }];
  },

  stream(event) {
    if (event['op'] !== 'update') return [event];
    const { property, value, stream_id } = event;
    if (!streamProperties.includes(String(property))) return [];
    if (property !== 'name') return [event];
    return [{ ...event, property: 'email_address', value: postingAddress(String(value), Number(stream_id)) }, event];
  },

  subscription: (event) => (event['property'] === 'put_away' ? [] : [event]),

  user_settings: (event) => (settings.includes(String(event['property'])) ? [event] : []),
};
