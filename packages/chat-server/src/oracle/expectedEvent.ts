import { type ServerEvent, roles } from '@engawa/protocol';
import { isIn, mayRead, mayReadPosition, canSee, seesUser } from './model/access.ts';
import { membersShown } from './model/groups.ts';
import { firstMessage } from './model/messages.ts';
import { type Group, type MessageUpdate, type ModelEvent, ascending } from './model/model.ts';
import { flags } from './model/reading.ts';
import { activeSubscribers } from './model/streams.ts';
import { type Viewer, expectedMessage, comparableMessage, renderedContent, shownEmail } from './expectedMessage.ts';

export function comparableEvent(event: ServerEvent) {
  switch (event.type) {
    case 'message': {
      const { message, flags: eventFlags, local_message_id } = event;
      return { type: event.type, message: comparableMessage({ ...message, flags: eventFlags }), local_message_id };
    }
    case 'update_message': {
      const { type, user_id, edit_timestamp, message_id, message_ids, flags: eventFlags } = event;
      const { content, rendered_content, orig_content, stream_id, subject, orig_subject, propagate_mode } = event;
      const changes = { content, rendered_content, orig_content, subject, orig_subject, propagate_mode };
      const common = { message_id, message_ids, stream_id, flags: eventFlags.toSorted() };
      return { type, user_id, edit_timestamp, ...common, ...changes };
    }
    case 'delete_message': {
      const { type, message_type, message_id, message_ids = [message_id], stream_id, topic } = event;
      return { type, message_type, message_ids, stream_id, topic };
    }
    case 'update_message_flags': {
      const { type, op, flag, messages, message_details } = event;
      return { type, op, flag, messages: ascending(messages), message_details };
    }
    case 'reaction': {
      const { type, op, message_id, emoji_name, emoji_code, reaction_type, user_id, user } = event;
      return { type, op, message_id, emoji_name, emoji_code, reaction_type, user_id, email: user?.email };
    }
    case 'subscription':
      return comparableSubscriptionEvent(event);
    case 'stream':
      return comparableStreamEvent(event);
    case 'realm_user': {
      const { user_id, role, is_active } = event.person;
      return { type: event.type, op: event.op, user_id, role, is_active };
    }
    case 'user_group':
      return comparableGroupEvent(event);
    default: {
      const { id: _, ...rest } = event;
      return rest;
    }
  }
}

function comparableSubscriptionEvent(event: Extract<ServerEvent, { type: 'subscription' }>) {
  const { type, op } = event;
  switch (op) {
    case 'add': {
      const subscriptions = event.subscriptions.map(({ stream_id, name, first_message_id, subscribers = [] }) => {
        return { stream_id, name, first_message_id, subscribers: ascending(subscribers) };
      });
      return { type, op, subscriptions };
    }
    case 'remove':
      return { type, op, subscriptions: event.subscriptions };
    case 'peer_add':
    case 'peer_remove':
      return { type, op, stream_ids: event.stream_ids, user_ids: ascending(event.user_ids) };
    case 'update':
      return { type, op, stream_id: event.stream_id, property: event.property, value: event.value };
  }
}

function comparableGroupEvent(event: Extract<ServerEvent, { type: 'user_group' }>) {
  const { type, op } = event;
  if (op === 'add') return { type, op, group_id: event.group.id, members: ascending(event.group.members) };
  const { id: _, ...rest } = event;
  return rest;
}

function comparableStreamEvent(event: Extract<ServerEvent, { type: 'stream' }>) {
  const { type, op } = event;
  switch (op) {
    case 'create': {
      const created = event.streams.map(({ stream_id, name, invite_only }) => ({ stream_id, name, invite_only }));
      return { type, op, streams: created };
    }
    case 'delete':
      return { type, op, stream_ids: event.streams.map(({ stream_id }) => stream_id) };
    case 'update':
      return { type, op, stream_id: event.stream_id, property: event.property, value: event.value };
  }
}

type ComparableEvent = ReturnType<typeof comparableEvent>;

/** The event as the queue must deliver it now, or undefined if nothing remains to deliver. */
export function expectedEvent(viewer: Viewer, event: ModelEvent, queueId: string): ComparableEvent | undefined {
  const { model, user } = viewer;
  const { type } = event;
  switch (type) {
    case 'message': {
      const { message, isWide } = event;
      if (!mayRead(user, message)) return undefined;
      const { local } = message;
      return {
        type,
        message: { ...expectedMessage(viewer, message), reactions: [], ...(isWide ? { flags: [] } : {}) },
        local_message_id: local?.queueId === queueId ? local.localId : undefined,
      };
    }
    case 'update_message':
      return expectedUpdate(viewer, event.update);
    case 'delete_message': {
      const { message, topic } = event;
      if (!mayReadPosition(user, message)) return undefined;
      const common = { type, message_ids: [message.id] };
      const { place } = message;
      return place.kind === 'direct'
        ? { ...common, message_type: 'private', stream_id: undefined, topic: undefined }
        : { ...common, message_type: 'stream', stream_id: place.id, topic };
    }
    case 'update_message_flags': {
      const { op, flag, messages } = event;
      const details = messages.map(({ id, place, topic, isMention: mentioned }) => {
        const where =
          place.kind === 'stream'
            ? { type: 'stream' as const, stream_id: place.id, topic }
            : { type: 'private' as const, user_ids: place.participants.filter((each) => each !== user.id) };
        return [id, { ...where, ...(mentioned ? { mentioned } : {}) }] as const;
      });
      const isUnread = flag === 'read' && op === 'remove';
      return {
        type,
        op,
        flag,
        messages: messages.map(({ id }) => id),
        message_details: isUnread ? Object.fromEntries(details) : undefined,
      };
    }
    case 'reaction': {
      const { op, message, reaction } = event;
      if (!mayRead(user, message)) return undefined;
      return { type, op, message_id: message.id, ...reaction, email: shownEmail(viewer, reaction.user_id) };
    }
    case 'subscription':
      return expectedOfSubscription(viewer, event);
    case 'stream':
      return expectedOfStream(viewer, event);
    case 'realm_user': {
      const { op, user: user_id } = event;
      const isSeen = seesUser(model, user, user_id);
      if (isSeen !== (op !== 'remove')) return undefined;
      if (op === 'remove') return { type, op, user_id, role: undefined, is_active: undefined };
      const { role, isActive: is_active } = event.op === 'update' ? event.change : model.user(user_id);
      return { type, op, user_id, role, is_active };
    }
    case 'user_group':
      return expectedOfGroup(viewer, event);
    case 'alert_words':
      return { type, alert_words: [...event.words] };
    case 'user_settings':
      return { type, op: 'update', property: 'send_read_receipts', value: event.sendsReceipts };
    case 'realm': {
      const { receiptAudience: read_receipts } = event;
      const data = { enable_read_receipts: read_receipts !== 'none', read_receipts };
      return { type, op: 'update_dict', property: 'default', data };
    }
  }
}

/** Contains only messages that the member may read, with their current content. */
function expectedUpdate(viewer: Viewer, update: MessageUpdate): ComparableEvent | undefined {
  const { user } = viewer;
  const { by, at, message, contentBefore, topic, mode } = update;
  const messages = update.messages.filter((each) => mayRead(user, each));
  const common = messages.find((each) => each === message) ?? messages[0];
  if (!common) return undefined;
  const isContentTold = common === message && contentBefore !== undefined;
  return {
    type: 'update_message',
    user_id: by,
    edit_timestamp: at,
    message_id: common.id,
    message_ids: messages.map(({ id }) => id),
    flags: flags(common, user),
    content: isContentTold ? common.content : undefined,
    rendered_content: isContentTold ? renderedContent({ ...viewer, isHtml: true }, common.content) : undefined,
    orig_content: isContentTold ? contentBefore : undefined,
    stream_id: common.place.kind === 'stream' ? common.place.id : undefined,
    subject: topic?.after,
    orig_subject: topic?.before,
    propagate_mode: topic ? mode : undefined,
  };
}

function expectedOfSubscription(
  { model, user }: Viewer,
  event: Extract<ModelEvent, { type: 'subscription' }>,
): ComparableEvent | undefined {
  const { type, op, stream } = event;
  const { id: stream_id, name } = stream;
  switch (op) {
    case 'add': {
      if (!isIn(stream, user)) return undefined;
      const [first_message_id, subscribers] = [firstMessage(model, stream), activeSubscribers(model, stream)];
      return { type, op, subscriptions: [{ stream_id, name, first_message_id, subscribers }] };
    }
    case 'update':
      return { type, op, stream_id, property: 'put_away', value: event.isPutAway };
    case 'remove':
      return { type, op, subscriptions: [{ name, stream_id }] };
    case 'peer_add':
    case 'peer_remove':
      return { type, op, stream_ids: [stream_id], user_ids: ascending(event.users) };
  }
}

/** A guest gets a group when they join it, and loses it when they leave. */
function expectedOfGroup(
  { model, user }: Viewer,
  event: Extract<ModelEvent, { type: 'user_group' }>,
): ComparableEvent | undefined {
  const { type, group } = event;
  const isGuest = user.role === roles.guest;
  const added = (of: Group) => ({ type, op: 'add' as const, group_id: of.id, members: ascending(membersShown(model, user, of)) });
  if (event.op === 'add') return isGuest && !event.group.members.has(user.id) ? undefined : added(event.group);
  if (typeof group === 'number' || !isGuest) {
    const group_id = typeof group === 'number' ? group : group.id;
    return isGuest ? undefined : { type, op: event.op, group_id, user_ids: [event.user] };
  }
  const isIn = group.members.has(user.id);
  if (event.user !== user.id || (event.op === 'add_members') !== isIn) return undefined;
  return isIn ? added(group) : { type, op: 'remove', group_id: group.id };
}

function expectedOfStream({ user }: Viewer, event: Extract<ModelEvent, { type: 'stream' }>): ComparableEvent | undefined {
  const { type, op, stream } = event;
  const { id: stream_id, name, isPublic } = stream;
  switch (op) {
    case 'create':
      return canSee(user, stream) ? { type, op, streams: [{ stream_id, name, invite_only: !isPublic }] } : undefined;
    case 'delete':
      return { type, op, stream_ids: [stream_id] };
    case 'update':
      return { type, op, stream_id, property: 'first_message_id', value: event.firstMessage };
  }
}
