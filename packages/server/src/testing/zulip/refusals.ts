import { narrow as narrowSchema, roles } from '@engawa/protocol';
import { isFields, listOf } from './fields.ts';
import { Refusal, badNarrow, mustBeAdministrator } from './refusal.ts';
import { parseJson } from '../../parseJson.ts';

export interface Asked {
  readonly parameters: ReadonlyMap<string, string>;
  readonly isAdministrator: boolean;
  /** The caller's id and shown address. */
  readonly self: readonly (number | string)[];
}

/** Parameters that level 218 refuses and the chat server inside accepts. The key is method and path; `{id}` is a number. */
export const refusals: Readonly<Record<string, (asked: Asked) => void>> = {
  'POST /register'({ parameters }) {
    const capabilities = parseJson(parameters.get('client_capabilities') ?? '{}');
    if (!parameters.has('client_capabilities') || !isFields(capabilities)) return;
    for (const key of ['notification_settings_null', 'bulk_message_deletion']) {
      if (!(key in capabilities)) throw new Refusal(`${key} key is missing from client_capabilities`);
    }
  },

  'GET /messages'({ parameters }) {
    if (parameters.get('anchor') === 'date') throw new Refusal('Invalid anchor');
    const terms = narrowSchema.safeParse(parseJson(parameters.get('narrow') ?? '[]'));
    for (const { operator, operand } of terms.data ?? []) {
      if (operator === 'search' && String(operand).trim() === '') throw new Refusal('elem["operand"] cannot be blank.');
      const operands = narrowOperators[operator];
      if (operands === undefined) throw badNarrow(`unknown operator ${operator}`);
      if (operands !== 'any' && !operands.includes(String(operand)))
        throw badNarrow(`unknown '${operator}' operand ${String(operand)}`);
    }
  },

  'POST /messages'({ parameters }) {
    if (!['direct', 'private', 'stream'].includes(parameters.get('type') ?? '')) throw new Refusal('Invalid type');
  },

  'POST /users/me/subscriptions/properties'({ parameters }) {
    for (const [index, change] of listOf(parseJson(parameters.get('subscription_data') ?? '')).entries()) {
      if (!isFields(change)) continue;
      if (change['value'] === null) throw new Refusal(`subscription_data[${index}]["value"] is not an allowed_type`);
      const property = String(change['property']);
      if (property !== 'color' && !booleanProperties.includes(property)) {
        throw new Refusal(`Unknown subscription property: ${property}`);
      }
    }
  },

  'PATCH /users/me/subscriptions/{id}'({ parameters }) {
    const property = parameters.get('property') ?? '';
    if (booleanProperties.includes(property)) throw new Refusal(`${property} is not a boolean`);
  },

  'DELETE /users/me/subscriptions'({ parameters, isAdministrator, self }) {
    const principals = listOf(parseJson(parameters.get('principals') ?? '[]'));
    const others = principals.filter((each) => !self.some((own) => own === each));
    if (others.length > 0 && !isAdministrator) throw new Refusal('Insufficient permission');
  },

  'PATCH /streams/{id}': onlyAdministrators,
  'DELETE /streams/{id}': onlyAdministrators,
};

function onlyAdministrators({ isAdministrator }: Asked): void {
  if (!isAdministrator) throw mustBeAdministrator();
}

const booleanProperties = [
  'is_muted',
  'in_home_view',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
];

const narrowOperators: Readonly<Record<string, 'any' | readonly string[]>> = {
  ...Object.fromEntries(
    ['stream', 'streams', 'topic', 'sender', 'near', 'id', 'search', 'dm', 'pm-with', 'dm-including', 'group-pm-with'].map(
      (operator) => [operator, 'any' as const],
    ),
  ),
  in: ['home', 'all'],
  is: ['dm', 'private', 'starred', 'unread', 'mentioned', 'alerted', 'resolved'],
  has: ['attachment', 'image', 'link'],
};

/** Calls of ours that are no pages of Zulip. */
export const absentCalls = [
  /^\S+ \/users\/me\/pointer$/,
  /^\S+ \/users\/me\/emoji_uses$/,
  /^GET \/users\/\d+\/status$/,
  /^\S+ \/read_receipts$/,
];

/** Parameters that level 218 does not read in any call: accepted, ignored, and named in `ignored_parameters_unsupported`. */
export const ignoredParameters = [
  'client_message_id',
  'read_by_sender',
  'prev_content_sha256',
  'include_deleted',
  'message_ids',
  'anchor_date',
  'exclude_archived',
  'scheduled_end_time',
  'last_update_id',
  'photo_audience',
  'status_audience',
  'groups_audience',
  'compact_messages',
  'read_receipts',
  'revision',
];

export const isAdministrator = (role: number | undefined): boolean => role === roles.owner || role === roles.administrator;
