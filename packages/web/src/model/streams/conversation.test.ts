import { expect, it } from 'vitest';
import { ai, directMessageOf, general, ken, mai, messageOf } from '../../../test/organisation.ts';
import {
  addressedTo,
  conversationIn,
  conversationOf,
  directOf,
  mayOpen,
  nameOf,
  narrowTo,
  othersIn,
  withMember,
} from './conversation.ts';

const known = {
  memberId: ai.user_id,
  subscriptions: new Map([[general.stream_id, general]]),
  users: new Map([ai, ken, mai].map((each) => [each.user_id, each])),
};
const group = directOf([mai.user_id, ai.user_id, ken.user_id]);
const notes = directOf([ai.user_id]);

it('[R1.8] The key of a direct conversation does not depend on the order of its participants', () => {
  expect(group).toBe('direct:1,2,3');
  expect(directOf([3, 2, 1, 2])).toBe(group);
  expect(withMember(directOf([3, 2]), ai.user_id)).toBe(group);
  expect(withMember(general.stream_id, ai.user_id)).toBe(general.stream_id);
});

it('[R1.8] A message belongs to its stream or, if it is a direct message, to the conversation of its participants', () => {
  expect(conversationOf(messageOf(9, ken, general, 'やあ'))).toBe(general.stream_id);
  expect(conversationOf(directMessageOf(9, ken, [ken, ai], 'やあ'))).toBe(directOf([1, 2]));
  expect(conversationOf(directMessageOf(9, ai, [ai], '覚え書き'))).toBe(notes);
});

it('[R1.8] othersIn returns the other participants, or the member alone for notes to oneself', () => {
  expect(othersIn(group, ai.user_id)).toEqual([ken.user_id, mai.user_id]);
  expect(othersIn(notes, ai.user_id)).toEqual([ai.user_id]);
});

it('[R1.8] [R7.7] Messages are requested from and sent to a stream by its name, and a direct conversation by its members', () => {
  expect(narrowTo(known, general.stream_id)).toEqual({ operator: 'stream', operand: general.name });
  expect(narrowTo(known, group)).toEqual({ operator: 'dm', operand: [1, 2, 3] });
  const { stream_id: id, name } = general;
  expect(addressedTo(known, id, false)).toEqual({ type: 'stream', to: name, topic: 'stream events' });
  expect(addressedTo(known, id, true)).toEqual({ type: 'stream', to: String(id), topic: 'stream events' });
  for (const hasWaited of [false, true]) expect(addressedTo(known, group, hasWaited)).toEqual({ type: 'direct', to: '[1,2,3]' });
});

it('[R7.8] A stream whose name is unknown is requested and addressed by its id, because a server refuses an empty name', () => {
  expect(narrowTo(known, 99)).toEqual({ operator: 'stream', operand: 99 });
  expect(addressedTo(known, 99, false)).toMatchObject({ to: '99' });
});

it('[R1.8] A conversation has the name of its stream, or the names of the other participants', () => {
  expect(nameOf(known, general.stream_id)).toBe(general.name);
  expect(nameOf(known, group)).toBe('石川 健、佐藤 舞');
  expect(nameOf(known, notes)).toBe('田中 愛');
});

it('[R1.8] A member may open subscribed streams, and direct conversations with known users', () => {
  expect([general.stream_id, group, notes].map((each) => mayOpen(known, each))).toEqual([true, true, true]);
  const notTheirs = [99, directOf([2, 3]), directOf([1, 99]), 'direct:2,1', 'direct:1,1'] as const;
  expect(notTheirs.map((each) => mayOpen(known, each))).toEqual([false, false, false, false, false]);
});

it('[R1.8] conversationIn parses a stored key and rejects an invalid one', () => {
  expect([conversationIn('12'), conversationIn(group), conversationIn(notes)]).toEqual([12, group, notes]);
  for (const text of ['', 'x', '-1', 'direct:', 'direct:1,', 'direct:1,2:edit', '12:file', 'direct:x']) {
    expect(conversationIn(text)).toBeUndefined();
  }
});
