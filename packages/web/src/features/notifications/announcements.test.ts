import { randomUUID } from 'node:crypto';
import { fakeClock } from '@engawa/client/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { Arrival } from '../../model/unread/arrivals.ts';
import { createAnnouncements } from './announcements.ts';

const second = 1000;

function arrival(messageId: number, corrected = false): Arrival {
  return {
    conversation: 7,
    messageId,
    senderId: 2,
    senderFullName: '佐藤 美咲',
    content: 'こんにちは',
    dialect: 'engawa',
    timestamp: 0,
    flags: [],
    corrected,
  };
}

/** Tabs of one browser. */
function browser() {
  const name = randomUUID();
  return function tab(polls: boolean) {
    const channel = new BroadcastChannel(name);
    const clock = fakeClock();
    const told: (readonly Arrival[])[] = [];
    const heard: unknown[] = [];
    const state = {
      polls,
      /** Whether notifications of this tab are never displayed. */
      hangs: false,
      clock,
      told,
      /** Messages received from the other tabs. */
      heard,
    };
    const telling = createAnnouncements({
      polls: () => state.polls,
      announce: async (arrivals) => {
        if (state.hangs) return new Promise(() => {});
        told.push(arrivals);
      },
      channel,
      clock,
    });
    channel.addEventListener('message', ({ data }) => heard.push(data));
    onTestFinished(() => {
      telling.stop();
      channel.close();
    });
    return Object.assign(state, telling);
  };
}

it('[R2.25.4] Only the polling tab announces messages, and it announces messages that arrive together in one call', async () => {
  const tab = browser();
  const [first, next] = [tab(true), tab(false)];
  const both = [arrival(1), arrival(2)];
  for (const { hear } of [first, next]) both.forEach(hear);
  await expect.poll(() => next.heard).toEqual([{ told: ['1', '2'] }]);
  expect(first.told).toEqual([both]);
  next.polls = true;
  await next.clock.pass(second);
  expect(next.told).toEqual([]);
  expect(next.clock.waits()).toEqual([]);
});

it('[R2.25.4] When the polling tab closes before it announces messages, the next polling tab announces them', async () => {
  const tab = browser();
  const [first, next, third] = [tab(true), tab(false), tab(false)];
  first.hangs = true;
  const both = [arrival(1), arrival(2)];
  for (const { hear } of [first, next, third]) both.forEach(hear);
  first.stop();
  await next.clock.pass(second);
  expect(next.told).toEqual([]);
  next.polls = true;
  await next.clock.pass(second);
  await expect.poll(() => third.heard).toEqual([{ told: ['1', '2'] }]);
  expect(next.told).toEqual([both]);
  third.polls = true;
  await third.clock.pass(second);
  expect(third.told).toEqual([]);
});

it('[R2.25.4] The next polling tab announces an edit if only the original message was announced', async () => {
  const tab = browser();
  const [first, next] = [tab(true), tab(false)];
  for (const { hear } of [first, next]) hear(arrival(1));
  next.hear(arrival(1, true));
  await expect.poll(() => next.heard).toEqual([{ told: ['1'] }]);
  next.polls = true;
  await next.clock.pass(second);
  expect(next.told).toEqual([[arrival(1, true)]]);
});

it('[R2.25.4] No tab announces a message that is too old', async () => {
  const next = browser()(false);
  next.hear(arrival(1));
  for (let seconds = 1; seconds < 30; seconds += 1) await next.clock.pass(second);
  expect(next.clock.waits()).toEqual([second]);
  next.polls = true;
  await next.clock.pass(second);
  expect(next.told).toEqual([]);
  expect(next.clock.waits()).toEqual([]);
});

it('[R2.25.4] A stopped tab announces nothing and leaves no timer', async () => {
  const tab = browser();
  const [first, next, third] = [tab(true), tab(false), tab(true)];
  for (const { hear } of [first, next]) hear(arrival(1));
  first.stop();
  next.stop();
  expect(next.clock.waits()).toEqual([]);
  await expect.poll(() => first.told).toEqual([[arrival(1)]]);
  third.hear(arrival(2));
  await expect.poll(() => next.heard).toEqual([{ told: ['2'] }]);
});
