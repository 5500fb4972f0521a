import { ChatError } from '@engawa/chat-server/parts';
import { RefusedError } from './errors.ts';

function refusalOf(error: unknown): unknown {
  if (!(error instanceof ChatError)) return error;
  const { status, code, message } = error;
  // The chat API answers 400 for a missing permission; the product's own calls use 403.
  return new RefusedError(code === 'UNAUTHORIZED_PRINCIPAL' ? 403 : status, code, message, { cause: error });
}

export async function withRefusals<Result>(act: Promise<Result>): Promise<Result> {
  try {
    return await act;
  } catch (error) {
    throw refusalOf(error);
  }
}
