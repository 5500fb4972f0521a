import { type NarrowTerm, streamNameKey } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { isFlagOperand, isResolved, toldByFlags } from './operators.ts';
import type { MessageRow } from './store.ts';
import { topicKey } from '../conversations/messageHeaders.ts';

/** A term as a queue keeps it: an operator that is told from a message and its flags alone. */
export interface QueueTerm {
  readonly operator: string;
  readonly operand: string;
}

type Holds = (operand: string, message: MessageRow, flags: readonly string[]) => boolean;

const ofStream: Holds = (operand, { stream_name: name }) => name !== null && streamNameKey(operand) === streamNameKey(name);
const operators: ReadonlyMap<string, Holds> = new Map<string, Holds>([
  ['stream', ofStream],
  ['channel', ofStream],
  ['topic', (operand, message) => topicKey(operand) === message.topic_key],
  ['sender', (operand, message) => operand.toLowerCase() === message.email.toLowerCase()],
  ['is', is],
]);

const othersOfIs = new Set(['dm', 'private', 'resolved']);

function is(operand: string, message: MessageRow, flags: readonly string[]): boolean {
  if (isFlagOperand(operand)) return toldByFlags[operand](flags);
  return operand === 'resolved' ? isResolved(message.topic_key) : message.stream_name === null;
}

/** @throws ChatError for an operator or an operand that a queue cannot keep to. */
export function queueNarrow(terms: readonly NarrowTerm[]): QueueTerm[] {
  return terms.map(({ operator, operand, negated }) => {
    if (negated) throw refused.because(`Operator -${operator} not supported.`);
    if (!operators.has(operator)) throw refused.because(`Operator ${operator} not supported.`);
    const text = String(operand);
    if (operator === 'is' && !isFlagOperand(text) && !othersOfIs.has(text)) {
      throw refused.because(`Operator is:${text} not supported.`);
    }
    return { operator, operand: text };
  });
}

/** Whether a message, with the flags that the queue's member sees on it, is within the narrow of a queue. */
export function isWithin(narrow: readonly QueueTerm[], message: MessageRow, flags: readonly string[]): boolean {
  return narrow.every(({ operator, operand }) => operators.get(operator)?.(operand, message, flags) ?? false);
}
