import type { IncomingMessage } from 'node:http';
import { type Log, nameOfCall } from '../../log/log.ts';
import type { ChatBackend, OpenedFile } from '../backend.ts';
import { failureOf, refusal, replyWithoutUpstream } from './replies.ts';
import { userAgent } from './request.ts';
import { type Upstream, UpstreamError } from './upstream.ts';

/** Milliseconds. */
const patience = 28_000;

/** Pictures of members, and files that were uploaded with Zulip's own clients. */
export function filesAtZulip(upstream: Upstream, log: Log): NonNullable<ChatBackend['openFile']> {
  return async ({ method, path, authorization, headers, signal }) => {
    const passed = Object.fromEntries(
      ['range', 'if-range', 'if-none-match', 'if-modified-since'].flatMap((name) => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    try {
      const call = {
        method,
        path,
        headers: { ...passed, authorization, 'user-agent': userAgent },
        isRepeatable: true,
        patience,
        signal,
      };
      return openedFileOf(await upstream.open(call));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      log({ level: 'warn', event: 'chat_server_failed', fault: error.fault, call: nameOfCall({ method, url: path }) });
      return refusedFile(replyWithoutUpstream(error.fault));
    }
  };
}

const passedOn = ['content-type', 'content-length', 'content-range', 'accept-ranges', 'etag', 'last-modified'] as const;
const ofFiles = new Set([200, 206, 304, 416]);

function openedFileOf(message: IncomingMessage): OpenedFile {
  const { statusCode: status = 0 } = message;
  if (ofFiles.has(status)) {
    const headers = Object.fromEntries(
      passedOn.flatMap((name) => {
        const value = message.headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    return { status, headers, body: message };
  }
  message.destroy();
  if (status >= 500) return refusedFile(failureOf(status));
  // A member who may not read a file gets the same answer as for a missing one.
  if (status >= 400) return refusedFile(refusal(404, 'NOT_FOUND', 'There is no such file.'));
  return refusedFile(refusal(502, 'CHAT_SERVER_UNAVAILABLE', `The chat server has the file elsewhere (status ${status}).`));
}

function refusedFile({ status, headers, body }: ReturnType<typeof refusal>): OpenedFile {
  return { status, headers, body };
}
