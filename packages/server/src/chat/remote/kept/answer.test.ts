import { expect, it } from 'vitest';
import { readReply } from './answer.ts';

const answer = { text: 'あ'.repeat(100_000) };
const streamed = () => new Response(JSON.stringify(answer)).body ?? new Uint8Array();
const reply = { status: 200, headers: {} };
const textOf = (body: Uint8Array | ReadableStream<Uint8Array>) =>
  new Response(body instanceof Uint8Array ? Buffer.from(body) : body).text();

it('[R7.8] An answer within the bound is read, and can be read again', async () => {
  const read = await readReply({ ...reply, body: streamed() }, 1_000_000);
  expect(read.json).toEqual(answer);
  expect(await textOf(read.reply.body)).toBe(JSON.stringify(answer));
});

it.each([
  ['a stream', streamed],
  ['bytes', () => Buffer.from(JSON.stringify(answer))],
])('[R7.8] An answer over the bound that is %s is passed on whole, without being read', async (_, body) => {
  const read = await readReply({ ...reply, body: body() }, 1000);
  expect(read.json).toBeUndefined();
  expect(await textOf(read.reply.body)).toBe(JSON.stringify(answer));
});

it.each(['<!DOCTYPE html>', '[]', '{"half":'])(
  '[R7.8] An answer that is no JSON object (%s) is passed on as it is',
  async (text) => {
    const read = await readReply({ ...reply, body: Buffer.from(text) }, 1000);
    expect(read.json).toBeUndefined();
    expect(await textOf(read.reply.body)).toBe(text);
  },
);
