import { PayloadError } from './incoming/message.ts';

/** The JSON of a request: its body, or the field `payload` of a form, as Slack accepts both. @throws PayloadError */
export function payloadIn(body: string): unknown {
  const trimmed = body.trim();
  // A program that sends JSON without its content type, as `curl -d` does, means JSON.
  const json = /^[{["]/.test(trimmed) ? trimmed : new URLSearchParams(trimmed).get('payload');
  try {
    return JSON.parse(json ?? '', (_, value: unknown) => (typeof value === 'string' ? storable(value) : value));
  } catch (error) {
    // A deeply nested text exhausts the stack.
    if (error instanceof SyntaxError || error instanceof RangeError) throw new PayloadError('invalid_payload');
    throw error;
  }
}

/** A message contains no null characters and no halves of surrogate pairs. */
const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
