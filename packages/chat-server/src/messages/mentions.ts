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

/** Whom a message calls: a user by name, by id or by both, a group, or everyone in its conversation. */
interface Mention {
  readonly of: 'user' | 'group' | 'all';
  readonly name: string;
  readonly id: number | undefined;
}

/** Whether a message speaks to everyone in its conversation. */
export function isToAll(message: Pick<MessageRow, 'content' | 'client'>): boolean {
  return mentionsIn(message).some((mention) => mention.of === 'all');
}

type Place = Pick<MessageRow, 'id' | 'conversation_id'>;

/**
 * The members whom a message calls by name and who may read it, and those in its conversation whom it calls by a group.
 * Bounded by `maxMentionsPerMessage` and `maxGroupMentioned`.
 */
export function mentionedBy(reader: Reader, groups: Groups, message: Place & Pick<MessageRow, 'content' | 'client'>): number[] {
  const mentions = mentionsIn(message)
    .filter((mention) => mention.of !== 'all')
    .slice(0, maxMentionsPerMessage);
  return [...new Set([...namedBy(reader, mentions, message), ...inGroups(reader, groups, mentions, message)])];
}

function namedBy(reader: Reader, mentions: readonly Mention[], message: Place): number[] {
  return mentions
    .filter((mention) => mention.of === 'user')
    .flatMap((mention) => usersNamed(reader, mention))
    .slice(0, maxMentionsPerMessage)
    .filter((user) => user.is_active && mayRead(reader, { id: user.id, role: roleOf(user) }, message))
    .map(({ id }) => id);
}

function inGroups(reader: Reader, groups: Groups, mentions: readonly Mention[], { conversation_id }: Place): number[] {
  const names = mentions.filter((mention) => mention.of === 'group').map(({ name }) => name);
  const members = names.length === 0 ? [] : groups.members(names, maxGroupMentioned);
  return members.length === 0 ? [] : memberships.membersAmong(reader, conversation_id, members);
}

/** Neither silent ones nor those that it quotes. */
function mentionsIn(message: Pick<MessageRow, 'content' | 'client'>): Mention[] {
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
 * Who has the id, whatever name stands before it; else everybody of that name, and where nobody is called so any more,
 * who was so last: a text that mentions somebody means them also after they have taken another name.
 */
export function usersNamed(reader: Reader, { name, id }: Pick<Mention, 'name' | 'id'>): UserRow[] {
  const named = id === undefined ? users.byFullName(reader, name, maxMentionsPerMessage) : [];
  if (named.length > 0) return named;
  const meant = id === undefined ? formerNames.lastBearer(reader, name) : users.byId(reader, id);
  return meant ? [meant] : [];
}
