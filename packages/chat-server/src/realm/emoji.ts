import { deleteRealmEmoji, maxEmojiNameLength, maxRealmEmoji, maxRealmEmojiEver } from '@engawa/protocol';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { emojiCodeOf } from '../emoji/names.ts';
import { refused } from '../errors.ts';
import type { EventSerializer, EventSerializers } from '../events/delivery.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { isAdministrator, isGuest } from '../identity/member.ts';
import { activeViewer } from '../privacy/seenUsers.ts';
import { realmEmoji } from './store.ts';
import { realmEmojiView } from './view.ts';

/** Every member except guests may add an emoji. With the name of a Unicode emoji it hides that one, so only administrators may add it. */
export function checkNewEmoji(reader: Reader, userId: number, name: string): void {
  const author = activeViewer(reader, userId);
  if (!author) throw refused.deactivated();
  if (isGuest(author)) throw refused.forGuests();
  if (name === '') throw refused.because('Emoji name is missing');
  if (name.length > maxEmojiNameLength || !/^[0-9a-z.\-_]+$/.test(name))
    throw refused.because('Invalid characters in emoji name');
  if (!/[0-9a-z]$/.test(name)) throw refused.because('Emoji names must end with either a letter or digit.');
  if (realmEmoji.byName(reader, name)) throw refused.because('A custom emoji with this name already exists.');
  if (emojiCodeOf(name) !== undefined && !isAdministrator(author)) {
    throw refused.because('Only administrators can override default emoji.');
  }
  // `ever` includes deactivated emoji, whose rows and pictures stay.
  const { active = 0, ever = 0 } = realmEmoji.count(reader) ?? {};
  if (active >= maxRealmEmoji || ever >= maxRealmEmojiEver)
    throw refused.because(`Too many custom emoji (limit: ${maxRealmEmoji}).`);
}

export function addEmoji(tx: Transaction, log: EventLog, userId: number, name: string, source_url: string): void {
  checkNewEmoji(tx, userId, name);
  realmEmoji.insert(tx, { name, source_url, author_id: userId, deactivated: 0 });
  publish(tx, log);
}

export function deleteEmojiRoute(database: Database, log: EventLog): Route {
  return memberRoute(deleteRealmEmoji, ({ emoji_name }, { member }) =>
    database.write((tx) => {
      const actor = memberNow(tx, member);
      const emoji = realmEmoji.byName(tx, emoji_name);
      if (!emoji) throw refused.because(`Emoji '${emoji_name}' does not exist`);
      const isAuthor = emoji.author_id === actor.id && !isGuest(actor);
      if (!isAuthor && !isAdministrator(actor)) throw refused.mustBe('an organization administrator or emoji author');
      realmEmoji.deactivate(tx, emoji.id);
      publish(tx, log);
    }),
  );
}

function publish(tx: Transaction, log: EventLog): void {
  log.append(tx, { type: 'realm_emoji', reach: 'everyone', payload: {} });
}

/** Has all emoji at the delivery. `maxRealmEmojiEver` bounds it. */
const serialize: EventSerializer = ({ id, type }, { member }, batch) =>
  batch.shared(`${id} ${isGuest(member)}`, () =>
    JSON.stringify({ type, op: 'update', realm_emoji: realmEmojiView(batch.reader, member), id }),
  );

export const emojiEvents: EventSerializers = [['realm_emoji', serialize]];
