import { PayloadError } from './incoming/message.ts';
import { storable } from './storable.ts';

/** The JSON of a request: its body, or the field `payload` of a form, as Slack accepts both. @throws PayloadError */
export function payloadIn(body: string): unknown {
  const trimmed = body.trim();
  // A program that sends JSON without its content type, as `curl -d` does, means JSON.
  const json = /^[{["]/.test(trimmed) ? trimmed : new URLSearchParams(trimmed).get('payload');
  try {
    return JSON.parse(json ?? '', (_, value: unknown) => storableIn(value));
  } catch (error) {
    // A deeply nested text exhausts the stack.
    if (error instanceof SyntaxError || error instanceof RangeError) throw new PayloadError('invalid_payload');
    throw error;
  }
}

/** A text of a payload, or an object whose names can become text of the message. */
function storableIn(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storable(name), each]));
}
