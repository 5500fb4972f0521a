import { expect, it } from 'vitest';
import { visibilityPolicies, type ServerEvent } from '@engawa/protocol';
import { ai, general, ken, messageOf } from '../../../test/organisation.ts';
import { createArrivals, type Arrival } from './arrivals.ts';
import { arrivalsIn } from './eventArrivals.ts';
import { noneFlagged } from './flagged.ts';
import { noneMuted, topicChosen } from './mutedTopics.ts';

const users = new Map([ai, ken].map((user) => [user.user_id, user]));
const nothingCalled = { flagged: noneFlagged, users, muted: noneMuted };

const said = (id: number, ...flags: string[]): ServerEvent => ({
  id,
  type: 'message',
  message: messageOf(id, ken, general, '@**田中 愛**'),
  flags,
});
const corrected = (id: number, ...flags: string[]): ServerEvent => ({
  id,
  type: 'update_message',
  user_id: ken.user_id,
  message_id: id,
  message_ids: [id],
  stream_id: general.stream_id,
  flags,
  edit_timestamp: 5,
  content: '@**田中 愛**',
});

function heardOf(events: readonly ServerEvent[], before = nothingCalled): Arrival[] {
  const arrivals = createArrivals();
  const heard: Arrival[] = [];
  arrivals.onArrival((arrival) => heard.push(arrival));
  arrivals.notify(() => arrivalsIn(events, before));
  return heard;
}

const heardIds = (events: readonly ServerEvent[]) => heardOf(events).map(({ messageId }) => messageId);

it('[R2.25.4] [I5.5] An edit that adds a mention or an alert word notifies the member, with the new text', () => {
  for (const flag of ['mentioned', 'wildcard_mentioned', 'has_alert_word']) {
    expect(heardOf([corrected(101, flag)])).toEqual([
      {
        conversation: general.stream_id,
        messageId: 101,
        senderId: ken.user_id,
        senderFullName: ken.full_name,
        content: '@**田中 愛**',
        dialect: 'engawa',
        timestamp: 5,
        flags: [flag],
        corrected: true,
      },
    ]);
  }
});

it('[R2.25.4] An edit that adds a mention notifies the member once, and not at all if the message mentioned them before', () => {
  expect(heardOf([corrected(101, 'mentioned'), corrected(101, 'mentioned')])).toHaveLength(1);
  expect(heardOf([said(101, 'mentioned'), corrected(101, 'mentioned')]).map((each) => each.corrected)).toEqual([false]);
  const called = { ...nothingCalled, flagged: { ...noneFlagged, mentioned: new Set([101]), alerted: new Set([102]) } };
  expect(heardOf([corrected(101, 'mentioned'), corrected(102, 'has_alert_word', 'mentioned')], called)).toEqual([]);
});

it('[R2.25.4] An edit without a mention and a change of the topic do not notify the member', () => {
  expect(heardOf([corrected(101), corrected(101, 'starred')])).toEqual([]);
  const moved = { message_id: 101, message_ids: [101], flags: ['mentioned'], edit_timestamp: 5, subject: '別の話' };
  expect(heardOf([{ id: 1, type: 'update_message', user_id: ken.user_id, stream_id: general.stream_id, ...moved }])).toEqual([]);
});

it('Messages of a muted topic announce nothing, also if an edit adds a mention', () => {
  const { subject: topic_name } = messageOf(101, ken, general, 'c');
  const choice = {
    stream_id: general.stream_id,
    topic_name: topic_name.toUpperCase(),
    visibility_policy: visibilityPolicies.muted,
  };
  const muted = { ...topicChosen(noneMuted, choice), unread: new Set([102]) };
  const before = { ...nothingCalled, muted };
  expect(heardOf([said(101, 'mentioned'), corrected(102, 'mentioned')], before)).toEqual([]);
  const again = { ...before, muted: topicChosen(muted, { ...choice, visibility_policy: visibilityPolicies.none }) };
  expect(heardOf([said(101, 'mentioned')], again)).toHaveLength(1);
});

it('A topic that is muted announces nothing from the same batch of events on, also if an edit adds a mention', () => {
  const { subject: topic_name } = messageOf(101, ken, general, 'c');
  const choice = { id: 1, type: 'user_topic', stream_id: general.stream_id, topic_name, last_updated: 1 } as const;
  const mute = { ...choice, visibility_policy: visibilityPolicies.muted };
  const unmute = { ...choice, visibility_policy: visibilityPolicies.none };
  expect(heardIds([said(101), mute, said(102)])).toEqual([101]);
  expect(heardIds([mute, said(101), corrected(101, 'mentioned')])).toEqual([]);
  expect(heardIds([mute, said(101), unmute, said(102)])).toEqual([102]);
});
