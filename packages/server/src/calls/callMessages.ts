import { z } from 'zod';
import type { MessageCall } from '@engawa/protocol';
import type { RequestChat } from '../chat/backend.ts';
import { parseJson } from '../parseJson.ts';
import { announcements } from './announcement.ts';

interface CallMessageDependencies {
  readonly request: RequestChat;
  /** Returns the calls that are announced by these messages. */
  readonly callsOf: (messageIds: readonly number[]) => Promise<ReadonlyMap<number, MessageCall>>;
}

const texts = Object.values(announcements);
/** As JSON may have them: unescaped, or with ASCII only. */
const marks = texts.flatMap((text) => [text, asciiOf(text)]).map((text) => Buffer.from(text));

const message = z.looseObject({ id: z.int(), content: z.string() });
/** The answers to GET /messages, GET /messages/{id} and GET /events. */
const answer = z.looseObject({
  messages: z.array(message).optional(),
  message: message.optional(),
  events: z.array(z.looseObject({ message: message.optional() })).optional(),
});

/**
 * Adds the field `call` to the messages that announce calls, for a chat server that does not store it. The id of the message decides,
 * so that nobody can forge the card of a call by its text.
 */
export function withCallsOfMessages({ request, callsOf }: CallMessageDependencies): RequestChat {
  return async (call) => {
    const reply = await request(call);
    const { status, body } = reply;
    if (status !== 200 || !mayAnnounce(body)) return reply;
    const { data } = answer.safeParse(parseJson(new TextDecoder().decode(body)));
    if (!data) return reply;
    const { messages = [], message: single, events = [] } = data;
    const shown = [...messages, ...(single ? [single] : []), ...events.flatMap((event) => event.message ?? [])];
    const announcing = shown.filter(({ content }) => texts.some((text) => content.includes(text)));
    const calls = await callsOf(announcing.map(({ id }) => id));
    if (calls.size === 0) return reply;
    for (const each of announcing) Object.assign(each, { call: calls.get(each.id) });
    return { ...reply, body: Buffer.from(JSON.stringify(data)) };
  };
}

function mayAnnounce(body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return marks.some((mark) => bytes.includes(mark));
}

function asciiOf(text: string): string {
  return text.replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
