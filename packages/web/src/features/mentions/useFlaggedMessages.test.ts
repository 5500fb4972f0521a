import { expect, it } from 'vitest';
import { joined } from './useFlaggedMessages.ts';

const found = (...ids: readonly number[]) =>
  ids.map((messageId) => ({
    messageId,
    conversation: 1,
    conversationName: '全社',
    senderId: 2,
    senderFullName: '石川 健',
    avatarUrl: undefined,
    content: `${messageId}`,
    dialect: 'engawa' as const,
    timestamp: 0,
  }));
const idsOf = ({ messages = [] }: ReturnType<typeof joined>) => messages.map(({ messageId }) => messageId);

it('[I5.5] joined appends older messages to the list of mentions', () => {
  const all = joined({ messages: found(9, 8), isAll: false }, { messages: found(7, 6), isAll: true }, 8);
  expect([idsOf(all), all.isAll]).toEqual([[9, 8, 7, 6], true]);
});

it('[I5.5] joined replaces the mentions that the newest page covers and keeps older ones', () => {
  const more = joined({ messages: found(9, 8, 7, 6), isAll: true }, { messages: found(11, 9, 7), isAll: false }, undefined);
  expect([idsOf(more), more.isAll]).toEqual([[11, 9, 7, 6], true]);
});

it('[I5.5] joined drops older mentions if there may be others between them and the newest page', () => {
  const all = joined({ messages: found(9, 8), isAll: true }, { messages: found(40, 39), isAll: false }, undefined);
  expect([idsOf(all), all.isAll]).toEqual([[40, 39], false]);
});

it('[I5.5] joined removes mentions that the only page no longer contains', () => {
  const less = joined({ messages: found(9, 8), isAll: true }, { messages: found(8), isAll: true }, undefined);
  expect([idsOf(less), less.isAll]).toEqual([[8], true]);
  expect(idsOf(joined({ messages: found(9), isAll: true }, { messages: [], isAll: true }, undefined))).toEqual([]);
});
