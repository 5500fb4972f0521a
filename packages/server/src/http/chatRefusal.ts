import { ChatError } from '@engawa/chat-server';
import { RefusedError } from './errors.ts';

/** What the chat server refuses in process, as a refusal of the product's own calls. Anything else stays what it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof ChatError)) return error;
  const { status, code, message } = error;
  // The chat API says 400 where somebody may not.
  return new RefusedError(code === 'UNAUTHORIZED_PRINCIPAL' ? 403 : status, code, message, { cause: error });
}
