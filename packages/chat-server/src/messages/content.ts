import { maxMessageLength, maxTopicLength, truncationNotice } from '@engawa/protocol';
import { refused } from '../http/errors.ts';

/** A message's text as it is kept: without blank ends, cut where it is too long. */
export function cleanContent(content: string): string {
  const trimmed = content.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  if (trimmed === '') throw refused.because('Message must not be empty');
  if (trimmed.includes('\0')) throw refused.because('Message must not contain null bytes');
  // Short in UTF-16 is short in code points too.
  if (trimmed.length <= maxMessageLength) return trimmed;
  const characters = [...trimmed];
  if (characters.length <= maxMessageLength) return trimmed;
  return characters.slice(0, maxMessageLength - truncationNotice.length).join('') + truncationNotice;
}

export function cleanTopic(topic: string | undefined): string {
  if (topic === undefined) throw refused.because('Missing topic');
  const trimmed = topic.trim();
  if (trimmed === '' || trimmed === '(no topic)') throw refused.because('Topics are required in this organization');
  const characters = [...trimmed];
  const odd = characters.findIndex((character) => /[\p{Cc}\p{Cs}\p{Cn}]/u.test(character));
  if (odd >= 0) throw refused.because(`Invalid character in topic, at position ${odd + 1}!`);
  return characters.length <= maxTopicLength ? trimmed : `${characters.slice(0, maxTopicLength - 3).join('')}...`;
}
