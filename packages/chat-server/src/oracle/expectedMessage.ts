import type { Message as ShownMessage } from '@engawa/protocol';
import type { Edit, Message, Model, User } from './model/model.ts';
import { seesUser } from './model/access.ts';
import { flags } from './model/reading.ts';

/** The member who sees something, and the content format. */
export interface Viewer {
  readonly model: Model;
  readonly user: User;
  readonly isHtml: boolean;
}

/** The compared fields of a message, with sorted flags. */
export function comparableMessage(message: ShownMessage) {
  const { id, type, sender_id, sender_email, timestamp, subject, content, reactions, stream_id } = message;
  const { display_recipient: all, last_edit_timestamp, last_moved_timestamp, edit_history } = message;
  return {
    id,
    type,
    sender_id,
    sender_email,
    timestamp,
    subject,
    content,
    reactions,
    stream_id,
    display_recipient: typeof all === 'string' ? all : all.map((each) => each.id),
    last_edit_timestamp,
    last_moved_timestamp,
    edit_history: edit_history?.map(({ user_id, timestamp: at, prev_content, prev_topic, topic }) => {
      return { user_id, timestamp: at, prev_content, prev_topic, topic };
    }),
    flags: message.flags?.toSorted(),
    isNotice: message.notice !== undefined,
  };
}

export function expectedMessage(viewer: Viewer, message: Message): ReturnType<typeof comparableMessage> {
  const { model, user } = viewer;
  const { place, edits } = message;
  const sender = model.user(message.sender);
  return {
    id: message.id,
    type: place.kind === 'stream' ? 'stream' : 'private',
    sender_id: sender.id,
    sender_email: shownEmail(viewer, sender.id),
    timestamp: message.timestamp,
    subject: message.topic,
    content: renderedContent(viewer, message.content),
    reactions: [...message.reactions],
    stream_id: place.kind === 'stream' ? place.id : undefined,
    display_recipient: place.kind === 'stream' ? place.name : sortedByEmail(model, place.participants),
    last_edit_timestamp: message.editedAt,
    last_moved_timestamp: message.movedAt,
    edit_history: edits.length === 0 ? undefined : edits.map(expectedEdit),
    flags: flags(message, user),
    isNotice: message.isNotice && !message.isDeleted,
  };
}

function expectedEdit({ by, at, contentBefore, topic }: Edit) {
  return { user_id: by, timestamp: at, prev_content: contentBefore, prev_topic: topic?.before, topic: topic?.after };
}

function sortedByEmail(model: Model, ids: readonly number[]): number[] {
  const users = ids.map((id) => model.user(id)).toSorted((one, other) => (one.email < other.email ? -1 : 1));
  return users.map(({ id }) => id);
}

/** The address of a user as the viewer gets it with a message or reaction. */
export function shownEmail({ model, user }: Viewer, userId: number): string {
  return seesUser(model, user, userId) ? model.user(userId).email : `user${userId}@unseen.invalid`;
}

/** Renders a content. Mentions are the only markup in these histories. A mention of an unseen user stays as typed. */
export function renderedContent({ model, user, isHtml }: Viewer, content: string): string {
  if (!isHtml) return content;
  const ids = new Map([...model.users.values()].map(({ name, id }) => [name, id]));
  const html = content.replace(/@\*\*(.+?)\*\*/g, (typed, name: string) => {
    const id = ids.get(name);
    if (id !== undefined && !seesUser(model, user, id)) return typed;
    return `<span class="user-mention" data-user-id="${id ?? '*'}">@${name}</span>`;
  });
  const silent = html.replace(/@_\*\*(.+?)\|(\d+)\*\*/g, (typed, name: string, id: string) =>
    seesUser(model, user, Number(id)) ? `<span class="user-mention silent" data-user-id="${id}">${name}</span>` : typed,
  );
  return `<p>${silent}</p>`;
}
