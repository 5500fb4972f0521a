import type { ServerEvent } from '@engawa/protocol';
import { isIn, mayRead, mayReadPlace, sees } from './model/access.ts';
import { firstMessage } from './model/messages.ts';
import { type Correction, type Telling, ascending } from './model/model.ts';
import { flags } from './model/reading.ts';
import { activeSubscribers } from './model/streams.ts';
import { type Viewer, expectedMessage, seenIn, shown } from './shown.ts';

/** What is compared of an event. */
export function heardIn(event: ServerEvent) {
  switch (event.type) {
    case 'message': {
      const { message, flags: flagsHeard, local_message_id } = event;
      return { type: event.type, message: seenIn({ ...message, flags: flagsHeard }), local_message_id };
    }
    case 'update_message': {
      const { type, user_id, edit_timestamp, message_id, message_ids, flags: flagsHeard } = event;
      const { content, rendered_content, orig_content, stream_id, subject, orig_subject, propagate_mode } = event;
      const changes = { content, rendered_content, orig_content, subject, orig_subject, propagate_mode };
      const told = { message_id, message_ids, stream_id, flags: flagsHeard.toSorted() };
      return { type, user_id, edit_timestamp, ...told, ...changes };
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
      return heardOfSubscription(event);
    case 'stream':
      return heardOfStream(event);
    case 'realm_user': {
      const { user_id, role, is_active } = event.person;
      return { type: event.type, op: event.op, user_id, role, is_active };
    }
    default: {
      const { id: _, ...rest } = event;
      return rest;
    }
  }
}

function heardOfSubscription(event: Extract<ServerEvent, { type: 'subscription' }>) {
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

function heardOfStream(event: Extract<ServerEvent, { type: 'stream' }>) {
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

type Heard = ReturnType<typeof heardIn>;

/** How a queue tells now of what its member was told; undefined when there is nothing left to tell. */
export function expectedEvent(viewer: Viewer, telling: Telling, queueId: string): Heard | undefined {
  const { model, user } = viewer;
  const { type } = telling;
  switch (type) {
    case 'message': {
      const { message, isWide } = telling;
      if (!mayRead(user, message)) return undefined;
      const { local } = message;
      return {
        type,
        message: { ...expectedMessage(viewer, message), reactions: [], ...(isWide ? { flags: [] } : {}) },
        local_message_id: local?.queueId === queueId ? local.localId : undefined,
      };
    }
    case 'update_message':
      return expectedUpdate(viewer, telling.correction);
    case 'delete_message': {
      const { message, topic } = telling;
      if (!mayReadPlace(user, message)) return undefined;
      const told = { type, message_ids: [message.id] };
      const { place } = message;
      return place.kind === 'direct'
        ? { ...told, message_type: 'private', stream_id: undefined, topic: undefined }
        : { ...told, message_type: 'stream', stream_id: place.id, topic };
    }
    case 'update_message_flags': {
      const { op, flag, messages } = telling;
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
      const { op, message, reaction } = telling;
      if (!mayRead(user, message)) return undefined;
      return { type, op, message_id: message.id, ...reaction, email: model.user(reaction.user_id).email };
    }
    case 'subscription':
      return expectedOfSubscription(viewer, telling);
    case 'stream':
      return expectedOfStream(viewer, telling);
    case 'realm_user': {
      const { role, isActive: is_active } = telling.change;
      return { type, op: 'update', user_id: telling.user, role, is_active };
    }
    case 'alert_words':
      return { type, alert_words: [...telling.words] };
    case 'user_settings':
      return { type, op: 'update', property: 'send_read_receipts', value: telling.sendsReceipts };
    case 'realm': {
      const { receiptsShown: read_receipts } = telling;
      const data = { enable_read_receipts: read_receipts !== 'none', read_receipts };
      return { type, op: 'update_dict', property: 'default', data };
    }
  }
}

/** Of those messages that the member may read, with the content of now. */
function expectedUpdate(viewer: Viewer, correction: Correction): Heard | undefined {
  const { user } = viewer;
  const { by, at, message, contentBefore, topic, mode } = correction;
  const messages = correction.messages.filter((each) => mayRead(user, each));
  const told = messages.find((each) => each === message) ?? messages[0];
  if (!told) return undefined;
  const isContentTold = told === message && contentBefore !== undefined;
  return {
    type: 'update_message',
    user_id: by,
    edit_timestamp: at,
    message_id: told.id,
    message_ids: messages.map(({ id }) => id),
    flags: flags(told, user),
    content: isContentTold ? told.content : undefined,
    rendered_content: isContentTold ? shown({ ...viewer, isHtml: true }, told.content) : undefined,
    orig_content: isContentTold ? contentBefore : undefined,
    stream_id: told.place.kind === 'stream' ? told.place.id : undefined,
    subject: topic?.after,
    orig_subject: topic?.before,
    propagate_mode: topic ? mode : undefined,
  };
}

function expectedOfSubscription({ model, user }: Viewer, telling: Extract<Telling, { type: 'subscription' }>): Heard | undefined {
  const { type, op, stream } = telling;
  const { id: stream_id, name } = stream;
  switch (op) {
    case 'add': {
      if (!isIn(stream, user)) return undefined;
      const [first_message_id, subscribers] = [firstMessage(model, stream), activeSubscribers(model, stream)];
      return { type, op, subscriptions: [{ stream_id, name, first_message_id, subscribers }] };
    }
    case 'update':
      return { type, op, stream_id, property: 'put_away', value: telling.isAway };
    case 'remove':
      return { type, op, subscriptions: [{ name, stream_id }] };
    case 'peer_add':
    case 'peer_remove':
      return { type, op, stream_ids: [stream_id], user_ids: ascending(telling.users) };
  }
}

function expectedOfStream({ user }: Viewer, telling: Extract<Telling, { type: 'stream' }>): Heard | undefined {
  const { type, op, stream } = telling;
  const { id: stream_id, name, isPublic } = stream;
  switch (op) {
    case 'create':
      return sees(user, stream) ? { type, op, streams: [{ stream_id, name, invite_only: !isPublic }] } : undefined;
    case 'delete':
      return { type, op, stream_ids: [stream_id] };
    case 'update':
      return { type, op, stream_id, property: 'first_message_id', value: telling.firstMessage };
  }
}
