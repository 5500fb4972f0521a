import { noBody } from '@engawa/chat-server/parts';
import type { MessageCall } from '@engawa/protocol';
import { expect, it } from 'vitest';
import type { ChatReply, RequestChat } from '../chat/backend.ts';
import { withCallsOfMessages } from './callMessages.ts';

const started = '音声通話を開始しました。';
const call: MessageCall = { id: 'call-of-tanaka-1', kind: 'audio' };

const asked: (readonly number[])[] = [];
/** Answers with this text as a chat server does. The message 7 announces a call. */
async function answered(text: string, change: Partial<ChatReply> = {}): Promise<ChatReply> {
  const body = Buffer.from(text);
  const request: RequestChat = async () => ({ status: 200, headers: {}, body, ...change });
  asked.length = 0;
  const callsOf = async (messageIds: readonly number[]) => {
    asked.push(messageIds);
    return new Map(messageIds.filter((id) => id === 7).map((id) => [id, call]));
  };
  const { signal } = new AbortController();
  return withCallsOfMessages({ request, callsOf })({
    method: 'GET',
    url: '/',
    headers: {},
    body: noBody,
    address: undefined,
    signal,
  });
}
const jsonOf = ({ body }: ChatReply): unknown => JSON.parse(Buffer.from(body).toString());

it('[R7.8] The message of a call is marked in a page, alone and in an event, and nothing else is changed', async () => {
  const own = { id: 7, content: `<p>${started}</p>`, flags: ['read'] };
  const marked = { ...own, call };
  const page = { found_newest: true, messages: [own, { id: 8, content: 'お願いします' }, { id: 9, content: started }] };
  const answer = await answered(JSON.stringify(page));
  expect(jsonOf(answer)).toEqual({ found_newest: true, messages: [marked, ...page.messages.slice(1)] });
  expect(asked).toEqual([[7, 9]]);
  expect(jsonOf(await answered(JSON.stringify({ message: own, raw_content: started })))).toEqual({
    message: marked,
    raw_content: started,
  });
  const events = [
    { id: 1, type: 'heartbeat' },
    { id: 2, type: 'message', message: own, flags: [] },
  ];
  expect(jsonOf(await answered(JSON.stringify({ events })))).toEqual({ events: [events[0], { ...events[1], message: marked }] });
});

it('[R7.8] The message of a call is also marked in an answer with ASCII characters only', async () => {
  const escaped = [...started].map((each) => `\\u${each.charCodeAt(0).toString(16)}`).join('');
  expect(jsonOf(await answered(`{"messages":[{"id":7,"content":"${escaped}"}]}`))).toMatchObject({ messages: [{ call }] });
});

it.each([
  ['without such a text', '{"messages":[{"id":7,"content":"こんにちは"}]}', {}],
  ['that is refused', `{"messages":[{"id":7,"content":"${started}"}]}`, { status: 400 }],
  ['of another form', `{"messages":[7],"msg":"${started}"}`, {}],
  ['that is no JSON', `<h1>${started}</h1>`, {}],
])('[R7.8] An answer %s is passed on as it is', async (_, text, change) => {
  const { body } = await answered(text, change);
  expect(Buffer.from(body).toString()).toBe(text);
  expect(asked).toEqual([]);
});
