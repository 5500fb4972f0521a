import { maxMessageLength, maxTopicLength, truncationNotice } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { invalidCharacterAt } from '../text/characters.ts';

/** A message's text as it is kept: without blank ends, cut where it is too long. */
export function cleanContent(content: string): string {
  const trimmed = content.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  if (trimmed === '') throw refused.because('Message must not be empty');
  if (trimmed.includes('\0')) throw refused.because('Message must not contain null bytes');
  return cutContent(trimmed);
}

export function cutContent(content: string): string {
  // Short in UTF-16 is short in code points too.
  if (content.length <= maxMessageLength) return content;
  const characters = [...content];
  if (characters.length <= maxMessageLength) return content;
  return characters.slice(0, maxMessageLength - truncationNotice.length).join('') + truncationNotice;
}

/** What stands in a message after a correction. One that is emptied says so. */
export function correctedContent(content: string): string {
  return content.trim() === '' ? '(deleted)' : cleanContent(content);
}

/** The topic of a new message, cut where it is too long. */
export function cleanTopic(topic: string | undefined): string {
  if (topic === undefined) throw refused.because('Missing topic');
  const trimmed = topic.trim();
  if (trimmed === '') throw noTopic();
  checkTopic(trimmed);
  return cutTopic(trimmed);
}

/** @throws ChatError for a topic that no message may have. */
export function checkTopic(topic: string): void {
  if (topic === '') throw refused.because("Topic can't be empty!");
  if (topic === '(no topic)') throw noTopic();
  const odd = invalidCharacterAt(topic);
  if (odd >= 0) throw refused.because(`Invalid character in topic, at position ${odd + 1}!`);
}

export function cutTopic(topic: string): string {
  const characters = [...topic];
  return characters.length <= maxTopicLength ? topic : `${characters.slice(0, maxTopicLength - 3).join('')}...`;
}

const noTopic = () => refused.because('Topics are required in this organization');
