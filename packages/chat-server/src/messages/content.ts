import { cutContent, maxTopicLength } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { invalidCharacterAt } from '../text/characters.ts';

export function cleanContent(content: string): string {
  const trimmed = content.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  if (trimmed === '') throw refused.because('Message must not be empty');
  if (trimmed.includes('\0')) throw refused.because('Message must not contain null bytes');
  return cutContent(trimmed);
}

export function editedContent(content: string): string {
  return content.trim() === '' ? '(deleted)' : cleanContent(content);
}

export function cleanTopic(topic: string | undefined): string {
  if (topic === undefined) throw refused.because('Missing topic');
  const trimmed = topic.trim();
  if (trimmed === '') throw noTopic();
  checkTopic(trimmed);
  return cutTopic(trimmed);
}

export function checkTopic(topic: string): void {
  if (topic === '') throw refused.because("Topic can't be empty!");
  if (topic === '(no topic)') throw noTopic();
  const invalid = invalidCharacterAt(topic);
  if (invalid >= 0) throw refused.because(`Invalid character in topic, at position ${invalid + 1}!`);
}

export function cutTopic(topic: string): string {
  // A text never has more characters than `length`. To list them is slow, and few topics are that long.
  if (topic.length <= maxTopicLength) return topic;
  const characters = [...topic];
  return characters.length <= maxTopicLength ? topic : `${characters.slice(0, maxTopicLength - 3).join('')}...`;
}

const noTopic = () => refused.because('Topics are required in this organization');
