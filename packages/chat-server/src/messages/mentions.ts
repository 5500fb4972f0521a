import { maxGroupMentioned, maxMentionsPerMessage } from '@engawa/protocol';
import { type Viewer, mayRead } from '../conversations/access.ts';
import { guestStreams } from '../conversations/guestSight.ts';
import type { Reader } from '../database/index.ts';
import { formerNames } from '../identity/formerNames.ts';
import type { Groups } from '../identity/groups.ts';
import { type UserRow, users } from '../identity/store.ts';
import { viewerOf } from '../identity/member.ts';
import { seesUser } from '../privacy/seenUsers.ts';
import { inlinesOf } from './inlines.ts';
import type { MessageRow } from './store.ts';
import { membersOfNamed } from '../userGroups/mentioned.ts';
import { memberships } from '../conversations/memberships.ts';

type Sent = Pick<MessageRow, 'id' | 'conversation_id' | 'sender_id'>;
type Text = Pick<MessageRow, 'content' | 'client'>;

type Named = Pick<Mention, 'name' | 'id'>;

interface Mention {
  readonly of: 'user' | 'group' | 'all';
  readonly name: string;
  readonly id: number | undefined;
}

export function mentionsAll(message: Text): boolean {
  return mentionsIn(message).some((mention) => mention.of === 'all');
}

/**
 * A name mentions users who may read the message and whom its sender sees, a group that exists for the sender only users in its
 * conversation. Bounded by `maxGroupMentioned`.
 */
export function mentionedBy(reader: Reader, groups: Groups, message: Sent & Text): number[] {
  const mentions = mentionsIn(message)
    .filter((mention) => mention.of !== 'all')
    .slice(0, maxMentionsPerMessage);
  const sender = mentions.length === 0 ? undefined : users.byId(reader, message.sender_id);
  if (!sender) return [];
  const author = viewerOf(sender);
  return [...new Set([...namedBy(reader, mentions, message, author), ...inGroups(reader, groups, mentions, message, author)])];
}

function namedBy(reader: Reader, mentions: readonly Mention[], message: Sent, author: Viewer): number[] {
  return mentions
    .filter((mention) => mention.of === 'user')
    .flatMap((mention) => usersNamed(reader, mention, (id) => seesUser(reader, author, id)))
    .slice(0, maxMentionsPerMessage)
    .filter((user) => user.is_active && mayRead(reader, viewerOf(user), message))
    .map(({ id }) => id);
}

function inGroups(
  reader: Reader,
  groups: Groups,
  mentions: readonly Mention[],
  { conversation_id }: Sent,
  author: Viewer,
): number[] {
  const names = mentions.filter((mention) => mention.of === 'group').map(({ name }) => name);
  if (names.length === 0) return [];
  const members = [
    ...groups.members(names, maxGroupMentioned, guestStreams(reader, author)),
    ...membersOfNamed(reader, author, names),
  ].slice(0, maxGroupMentioned);
  return members.length === 0 ? [] : memberships.membersAmong(reader, conversation_id, members);
}

/** The ids of all users whom a mention in the text may show, also a silent one. Which of them it shows depends on the viewer. */
export function showable(reader: Reader, message: Text): number[] {
  if (!message.content.includes('@')) return [];
  const named = new Map<string, Named>();
  for (const { node } of inlinesOf(message)) {
    if (node.kind === 'user-mention') named.set(`${node.id} ${node.name}`, { name: node.name, id: node.id });
  }
  const users = [...named.values()].flatMap((each) => [
    ...usersNamed(reader, each, () => true),
    ...(each.id === undefined ? formerBearers(reader, each.name) : []),
  ]);
  return users.map(({ id }) => id);
}

function mentionsIn(message: Text): Mention[] {
  if (!message.content.includes('@*')) return [];
  return [...inlinesOf(message)].flatMap(({ node, isQuoted }): Mention[] => {
    if (isQuoted) return [];
    if (node.kind === 'user-mention' && !node.silent) return [{ of: 'user', name: node.name, id: node.id }];
    if (node.kind === 'group-mention' && !node.silent) return [{ of: 'group', name: node.name, id: undefined }];
    if (node.kind === 'wildcard-mention' && !node.silent) return [{ of: 'all', name: node.name, id: undefined }];
    return [];
  });
}

/**
 * Finds the user with the id, else all with the name, else its last owner, because old texts mention users by former names. Users
 * who are not seen count as missing, so that an unseen owner of the name does not hide an earlier one.
 */
export function usersNamed(reader: Reader, { name, id }: Named, sees: (userId: number) => boolean): UserRow[] {
  const isSeen = (user: UserRow) => sees(user.id);
  const named = id === undefined ? users.byFullName(reader, name, maxMentionsPerMessage).filter(isSeen) : [];
  if (named.length > 0) return named;
  if (id === undefined) return formerBearers(reader, name).filter(isSeen).slice(0, 1);
  const user = users.byId(reader, id);
  return user && isSeen(user) ? [user] : [];
}

const formerBearers = (reader: Reader, name: string): UserRow[] => formerNames.bearers(reader, name, maxMentionsPerMessage);
