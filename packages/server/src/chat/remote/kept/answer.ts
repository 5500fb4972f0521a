import { DatabaseClosedError, WriteFailedError } from '@engawa/chat-server/database';
import { ChatError, errorAnswer } from '@engawa/chat-server/parts';
import { ParameterError } from '@engawa/protocol';
import { z } from 'zod';
import type { Log } from '../../../log/log.ts';
import { parseJson } from '../../../parseJson.ts';
import type { ChatReply } from '../../backend.ts';

const fields = z.looseObject({});
export type Fields = z.output<typeof fields>;

export interface ReadReply {
  /** Undefined for an error, for an answer over the limit, and for one that is not a JSON object. */
  readonly json: Fields | undefined;
  /** The same answer, whose body can be read again. */
  readonly reply: ChatReply;
}

/** Reads an answer with status 200 up to a number of bytes. A larger one is passed on as a stream, without being read. */
export async function readReply(reply: ChatReply, mostBytes: number): Promise<ReadReply> {
  if (reply.status !== 200) return { json: undefined, reply };
  const body = reply.body instanceof Uint8Array ? reply.body : await bytesWithin(reply.body, mostBytes);
  if (!(body instanceof Uint8Array)) return { json: undefined, reply: { ...reply, body } };
  const whole = { ...reply, body };
  if (body.byteLength > mostBytes) return { json: undefined, reply: whole };
  return { json: fields.safeParse(parseJson(new TextDecoder().decode(body))).data, reply: whole };
}

/** @returns a stream with all of the body if the body is larger. */
async function bytesWithin(
  body: ReadableStream<Uint8Array>,
  mostBytes: number,
): Promise<Uint8Array | ReadableStream<Uint8Array>> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length <= mostBytes) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, length);
    chunks.push(value);
    length += value.byteLength;
  }
  return new ReadableStream({
    start: (controller) => chunks.forEach((chunk) => controller.enqueue(chunk)),
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** What the product needs of an answer of Zulip. @throws ChatError if that is not in it. */
export function needed<Schema extends z.ZodType>(schema: Schema, json: Fields | undefined): z.output<Schema> {
  const { success, data } = schema.safeParse(json);
  if (success) return data;
  throw new ChatError(502, 'CHAT_SERVER_UNAVAILABLE', 'The chat server of this organisation has answered something unknown.');
}

export function withJson(reply: ChatReply, json: Fields): ChatReply {
  const headers = Object.entries(reply.headers).filter(([name]) => name.toLowerCase() !== 'content-length');
  return { ...reply, headers: Object.fromEntries(headers), body: Buffer.from(JSON.stringify(json)) };
}

export function successOf(memberId: number, json: Fields = {}): ChatReply {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'private, no-store' };
  return withJson({ status: 200, headers, body: new Uint8Array(), memberId }, { result: 'success', msg: '', ...json });
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
