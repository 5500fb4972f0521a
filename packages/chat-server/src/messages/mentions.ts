import { maxGroupMentioned, maxMentionsPerMessage } from '@engawa/protocol';
import { mayRead } from '../conversations/access.ts';
import type { Reader } from '../database/index.ts';
import { formerNames } from '../identity/formerNames.ts';
import type { Groups } from '../identity/groups.ts';
import { type UserRow, users } from '../identity/store.ts';
import { roleOf } from '../identity/member.ts';
import { inlinesOf } from './inlines.ts';
import type { MessageRow } from './store.ts';
import { memberships } from '../conversations/memberships.ts';

type MessageId = Pick<MessageRow, 'id' | 'conversation_id'>;
type Text = Pick<MessageRow, 'content' | 'client'>;

interface Mention {
  readonly of: 'user' | 'group' | 'all';
  readonly name: string;
  readonly id: number | undefined;
}

export function mentionsAll(message: Text): boolean {
  return mentionsIn(message).some((mention) => mention.of === 'all');
}

/** A name mentions users who may read the message, a group only users in its conversation. Bounded by `maxGroupMentioned`. */
export function mentionedBy(reader: Reader, groups: Groups, message: MessageId & Text): number[] {
  const mentions = mentionsIn(message)
    .filter((mention) => mention.of !== 'all')
    .slice(0, maxMentionsPerMessage);
  return [...new Set([...namedBy(reader, mentions, message), ...inGroups(reader, groups, mentions, message)])];
}

function namedBy(reader: Reader, mentions: readonly Mention[], message: MessageId): number[] {
  return mentions
    .filter((mention) => mention.of === 'user')
    .flatMap((mention) => usersNamed(reader, mention))
    .slice(0, maxMentionsPerMessage)
    .filter((user) => user.is_active && mayRead(reader, { id: user.id, role: roleOf(user) }, message))
    .map(({ id }) => id);
}

function inGroups(reader: Reader, groups: Groups, mentions: readonly Mention[], { conversation_id }: MessageId): number[] {
  const names = mentions.filter((mention) => mention.of === 'group').map(({ name }) => name);
  const members = names.length === 0 ? [] : groups.members(names, maxGroupMentioned);
  return members.length === 0 ? [] : memberships.membersAmong(reader, conversation_id, members);
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

/** Finds the user with the id, else all with the name, else its last owner, because old texts mention users by former names. */
export function usersNamed(reader: Reader, { name, id }: Pick<Mention, 'name' | 'id'>): UserRow[] {
  const named = id === undefined ? users.byFullName(reader, name, maxMentionsPerMessage) : [];
  if (named.length > 0) return named;
  const user = id === undefined ? formerNames.lastBearer(reader, name) : users.byId(reader, id);
  return user ? [user] : [];
}
