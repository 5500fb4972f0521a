import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { Arrival } from '../../model/view.ts';
import { createTelling } from './telling.ts';

function arrival(messageId: number): Arrival {
  return { conversation: 7, messageId, senderId: 2, senderFullName: '佐藤 美咲', content: 'こんにちは', timestamp: 0, flags: [], corrected: false };
}

/** Tabs of one browser; `polls` is set by whoever is to. */
function browser() {
  const name = randomUUID();
  return function tab(polls: boolean) {
    const channel = new BroadcastChannel(name);
    const told: number[][] = [];
    let waiting: (() => void) | undefined;
    const state = {
      polls,
      told,
      /** Held: the tab tells nothing more. */
      held: false,
      waits: () => waiting !== undefined,
      /** A second passes. */
      second() {
        const look = waiting;
        waiting = undefined;
        look?.();
      },
    };
    const telling = createTelling({
      polls: () => state.polls,
      announce: async (arrivals) => {
        if (state.held) return new Promise(() => {});
        told.push(arrivals.map(({ messageId }) => messageId));
      },
      channel,
      after: (_, callback) => {
        waiting = callback;
        return () => {
          waiting = undefined;
        };
      },
    });
    onTestFinished(() => {
      telling.stop();
      channel.close();
    });
    return Object.assign(state, telling);
  };
}

it('[R2.25.4] the tab that polls tells, of what comes together together, and the others do not once it has', async () => {
  const tab = browser();
  const [first, second] = [tab(true), tab(false)];
  for (const each of [first, second]) [1, 2].forEach((messageId) => each.hear(arrival(messageId)));
  await expect.poll(() => first.told).toEqual([[1, 2]]);
  expect(second.waits()).toBe(true);
  await expect.poll(() => {
    second.second();
    return second.waits();
  }).toBe(false);
  second.polls = true;
  second.hear(arrival(3));
  await expect.poll(() => second.told).toEqual([[3]]);
});

it('[R2.25.4] another tells what the tab that polled has not told of before it was gone', async () => {
  const tab = browser();
  const [first, second, third] = [tab(true), tab(false), tab(false)];
  first.held = true;
  for (const each of [first, second, third]) [1, 2].forEach((messageId) => each.hear(arrival(messageId)));
  first.stop();
  second.second();
  expect(second.told).toEqual([]);
  second.polls = true;
  second.second();
  await expect.poll(() => second.told).toEqual([[1, 2]]);
  await expect.poll(() => {
    third.second();
    return third.waits();
  }).toBe(false);
  expect(third.told).toEqual([]);
});

it('[R2.25.4] nobody tells of what is no news any more', () => {
  const tab = browser()(false);
  tab.hear(arrival(1));
  for (let seconds = 1; seconds <= 30; seconds += 1) {
    expect(tab.waits()).toBe(true);
    tab.second();
  }
  expect(tab.waits()).toBe(false);
});

it('[R2.25.4] a tab that is stopped says and hears nothing more', async () => {
  const tab = browser();
  const [first, second] = [tab(true), tab(false)];
  first.hear(arrival(1));
  first.stop();
  second.hear(arrival(1));
  second.stop();
  await expect.poll(() => first.told).toEqual([[1]]);
  expect(second.waits()).toBe(false);
});
