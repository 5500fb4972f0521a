import { type NarrowTerm, streamNameKey, topicKey } from '@engawa/protocol';
import { refused } from '../errors.ts';
import type { QueueTerm } from '../events/queues.ts';
import { flagTests, isFlagOperand, isResolved } from './operators.ts';
import type { MessageRow } from './store.ts';

/** A message as the member of the queue sees it. */
type Seen = Pick<MessageRow, 'email' | 'stream_name' | 'topic_key'>;
type Test = (operand: string, message: Seen, flags: readonly string[]) => boolean;

const ofStream: Test = (operand, { stream_name: name }) => name !== null && streamNameKey(operand) === streamNameKey(name);
const operators: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['stream', ofStream],
  ['channel', ofStream],
  ['topic', (operand, message) => topicKey(operand) === message.topic_key],
  ['sender', (operand, message) => operand.toLowerCase() === message.email.toLowerCase()],
  ['is', is],
]);

const otherOperandsOfIs = new Set(['dm', 'private', 'resolved']);

function is(operand: string, message: Seen, flags: readonly string[]): boolean {
  if (isFlagOperand(operand)) return flagTests[operand](flags);
  return operand === 'resolved' ? isResolved(message.topic_key) : message.stream_name === null;
}

/** Accepts only operators that need no lookup beyond a message and its flags. @throws ChatError for all others. */
export function queueNarrow(terms: readonly NarrowTerm[]): QueueTerm[] {
  return terms.map(({ operator, operand, negated }) => {
    if (negated) throw refused.because(`Operator -${operator} not supported.`);
    if (!operators.has(operator)) throw refused.because(`Operator ${operator} not supported.`);
    const text = String(operand);
    if (operator === 'is' && !isFlagOperand(text) && !otherOperandsOfIs.has(text)) {
      throw refused.because(`Operator is:${text} not supported.`);
    }
    return { operator, operand: text };
  });
}

export function isWithin(narrow: readonly QueueTerm[], message: Seen, flags: readonly string[]): boolean {
  return narrow.every(({ operator, operand }) => operators.get(operator)?.(operand, message, flags) ?? false);
}
