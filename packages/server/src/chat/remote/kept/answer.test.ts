import { expect, it } from 'vitest';
import { jsonOf } from './answer.ts';

const answer = { text: 'あ'.repeat(100_000) };
const reply = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };

it('[R7.8] An answer within the bound is read', () => {
  expect(jsonOf(reply, 1_000_000)).toEqual(answer);
});

it('[R7.8] An answer over the bound and a refusal are not read', () => {
  expect([jsonOf(reply, 1000), jsonOf({ ...reply, status: 400 })]).toEqual([undefined, undefined]);
});

it.each(['<!DOCTYPE html>', '[]', '{"half":'])('[R7.8] An answer that is no JSON object (%s) is not read', (text) => {
  expect(jsonOf({ ...reply, body: Buffer.from(text) })).toBeUndefined();
});
