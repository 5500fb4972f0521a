import { ChatError, storageError } from '@engawa/chat-server/parts';
import { DatabaseClosedError, type StorageFault, WriteFailedError } from '@engawa/chat-server/database';
import { ApiError, MalformedAnswerError, NetworkError, ServerError } from '@engawa/client';
import { type ErrorCode, ParameterError } from '@engawa/protocol';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { type Log, nameOfCall } from '../log/log.ts';
import { StorageError } from '../storage/storage.ts';
import { RefusedError } from './errors.ts';

interface ErrorAnswer {
  readonly status: number;
  readonly msg: string;
  readonly code: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export function errorAnswering(log: Log) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // Only file errors are logged here, because a database logs its own.
    if (error instanceof StorageError) log({ event: 'file_not_stored', reason: error.fault, call: nameOfCall(request), error });
    const fault = faultOf(error);
    const { status, msg, code, data } = answerOf(fault === undefined ? error : storageError(fault));
    const retryAfter = data?.['retry-after'];
    if (typeof retryAfter === 'number') void reply.header('Retry-After', Math.ceil(retryAfter));
    // The client has left, which ends the call.
    const isAbandoned = reply.raw.destroyed && error instanceof Error && error.name === 'AbortError';
    // An error with `retryAfter` is a rate limit, which is no failure of the server.
    if (status >= 500 && retryAfter === undefined && !isAbandoned)
      log({ event: 'call_failed', call: nameOfCall(request), error });
    await reply.code(status).send({ result: 'error', msg, code, ...data });
  };
}

const unavailable: ErrorCode = 'CHAT_SERVER_UNAVAILABLE';

function answerOf(error: unknown): ErrorAnswer {
  if (error instanceof RefusedError) {
    const { status, message: msg, code, retryAfter } = error;
    const data = { ...error.data, ...(retryAfter === undefined ? {} : { 'retry-after': Math.ceil(retryAfter) }) };
    return { status, msg, code, data };
  }
  if (error instanceof ParameterError) return { status: 400, msg: error.message, code: error.code, data: error.data };
  if (error instanceof ApiError || error instanceof ChatError) {
    return { status: error.status, msg: error.message, code: error.code, data: error.data };
  }
  if (isRequestError(error)) {
    const code: ErrorCode = error.statusCode === 413 ? 'PAYLOAD_TOO_LARGE' : 'BAD_REQUEST';
    return { status: error.statusCode, msg: error.message, code };
  }
  // A fault of the chat server's storage, or a chat server that cannot be reached: the screens have words for the code.
  if (error instanceof ServerError && (error.status === 503 || error.code === unavailable) && error.code !== undefined) {
    return { status: error.status, msg: error.message, code: error.code };
  }
  if (error instanceof NetworkError || error instanceof MalformedAnswerError) {
    return { status: 502, msg: 'The chat server of this organisation gives no useful answer.', code: unavailable };
  }
  // 503 asks the client to repeat the call: nothing was stored.
  return { status: isRetryable(error) ? 503 : 500, msg: 'Internal server error', code: 'INTERNAL' };
}

function faultOf(error: unknown): StorageFault | undefined {
  return error instanceof WriteFailedError || error instanceof StorageError ? error.fault : undefined;
}

function isRetryable(error: unknown): boolean {
  if (error instanceof ServerError) return error.status === 503;
  return error instanceof WriteFailedError || error instanceof DatabaseClosedError;
}

function isRequestError(error: unknown): error is FastifyError & { statusCode: number } {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return false;
  return error.statusCode >= 400 && error.statusCode < 500;
}
