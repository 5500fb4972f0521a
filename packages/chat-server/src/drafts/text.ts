import { type Draft, type ParametersIn, type editDraft, maxDraftBytes, maxDrafts, maxMessageLength } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { refused } from '../errors.ts';
import { cutTopic } from '../messages/content.ts';

export type DraftRequest = ParametersIn<typeof editDraft>['draft'];

/** A draft keeps its text exactly, and a longer one is refused and not cut, because it exists nowhere else. */
export function draftText(
  { type, topic, content, timestamp = Infinity }: DraftRequest,
  clock: Pick<Clock, 'now'>,
): Pick<Draft, 'type' | 'topic' | 'content'> & { readonly edited: number } {
  if (content.trim() === '') throw refused.because('Message must not be empty');
  if (content.includes('\0')) throw refused.because('Message must not contain null bytes');
  if (content.length > maxMessageLength && [...content].length > maxMessageLength) {
    throw refused.because(`Message is too long (limit: ${maxMessageLength} characters)`);
  }
  const edited = Math.floor(Math.min(timestamp, seconds(clock)));
  return { type, topic: type === 'stream' ? draftTopic(topic) : '', content: content.toWellFormed(), edited };
}

function draftTopic(topic: string): string {
  if (topic.includes('\0')) throw refused.because('Topic must not contain null bytes');
  return cutTopic(topic.trim().toWellFormed());
}

/** @throws ChatError, which undoes the change. */
export function checkDraftSize({ count, bytes }: { readonly count: number; readonly bytes: number }): void {
  if (count > maxDrafts) throw refused.because(`Too many drafts (limit: ${maxDrafts}).`);
  if (bytes > maxDraftBytes) throw refused.because(`The drafts are too long together (limit: ${maxDraftBytes} bytes).`);
}
