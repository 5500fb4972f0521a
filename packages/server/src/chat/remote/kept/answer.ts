import { DatabaseClosedError, WriteFailedError } from '@engawa/chat-server/database';
import { ChatError, errorAnswer, jsonHeaders } from '@engawa/chat-server/parts';
import { ParameterError } from '@engawa/protocol';
import { z } from 'zod';
import type { Log } from '../../../log/log.ts';
import { parseJson } from '../../../parseJson.ts';
import type { ChatReply } from '../../backend.ts';
import { mostReplyBytes } from '../upstream.ts';

const fields = z.looseObject({});
export type Fields = z.output<typeof fields>;

/** @returns undefined for an error, for an answer with more bytes, and for one that is not a JSON object. */
export function jsonOf({ status, body }: ChatReply, mostBytes = mostReplyBytes): Fields | undefined {
  if (status !== 200 || body.byteLength > mostBytes) return undefined;
  return fields.safeParse(parseJson(new TextDecoder().decode(body))).data;
}

/** Returns the part of an answer of Zulip that the product needs. @throws ChatError if it is missing. */
export function needed<Schema extends z.core.$ZodType>(schema: Schema, json: Fields | undefined): z.output<Schema> {
  const { success, data } = z.safeParse(schema, json);
  if (success) return data;
  throw new ChatError(502, 'CHAT_SERVER_UNAVAILABLE', 'The chat server of this organisation has answered something unknown.');
}

export function withJson(reply: ChatReply, json: Fields): ChatReply {
  return { ...reply, body: Buffer.from(JSON.stringify(json)) };
}

export function successOf(memberId: number, json: Fields = {}): ChatReply {
  return withJson(
    { status: 200, headers: jsonHeaders, body: new Uint8Array(), memberId },
    { result: 'success', msg: '', ...json },
  );
}

/** Answers the errors of calls that the product answers itself. @throws every other error, such as one of the network. */
export async function answering(log: Log, answer: () => Promise<ChatReply>): Promise<ChatReply> {
  try {
    return await answer();
  } catch (error) {
    const isOwn = [ChatError, ParameterError, WriteFailedError, DatabaseClosedError].some((type) => error instanceof type);
    if (!isOwn) throw error;
    return errorAnswer(error, log);
  }
}
