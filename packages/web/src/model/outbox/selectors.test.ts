import { describe, expect, it } from 'vitest';
import { general, ken, messageOf } from '../../../test/organisation.ts';
import { twoLoaded } from '../../../test/exampleState.ts';
import { outgoing } from './outgoing.ts';
import { attempted, progressed, queued } from './changes.ts';
import { unloaded } from '../timeline/timeline.ts';
import { selectMessage, selectTimeline } from './selectors.ts';

const { stream_id: streamId } = general;
describe('The rows of a timeline', () => {
  const sent = outgoing(streamId, '了解', 0);

  it('A timeline shows the messages that are being sent as its last rows', () => {
    expect(selectTimeline(queued(twoLoaded, [sent]), streamId)?.keys).toEqual([101, 102, sent.localKey]);
  });

  it('A timeline does not show an outgoing message whose sent message it already shows', () => {
    const seeming = queued(twoLoaded, [{ ...sent, messageId: 102 }]);
    expect(selectTimeline(seeming, streamId)?.keys).toEqual([101, 102]);
  });

  it('When one row of a timeline changes, the objects of all other rows stay identical', () => {
    const sending = attempted(queued(twoLoaded, [sent]), sent.localKey);
    const before = selectTimeline(sending, streamId);
    const uploading = progressed(sending, sent.localKey, 0.5);
    expect(selectTimeline(uploading, streamId)).toBe(before);
    expect(selectMessage(uploading, sent.localKey)?.progress).toBe(0.5);
  });
});

function called(...flags: string[]) {
  const timeline = { ...unloaded, messages: [{ ...messageOf(101, ken, general, 'x'), flags }] };
  return selectMessage({ ...twoLoaded, timelines: new Map([[streamId, timeline]]) }, 101)?.called;
}

describe('A message', () => {
  it('[I5.5] A message shows that it mentions the member or, if it does not, that it contains an alert word', () => {
    expect(called('read', 'mentioned', 'has_alert_word')).toBe('mention');
    expect(called('wildcard_mentioned')).toBe('mention');
    expect(called('has_alert_word')).toBe('alert');
    expect(called('read')).toBeUndefined();
  });

  it('[R3.2, R2.14] A message shows the current name of its sender, and whether the member sent it', () => {
    expect(selectMessage(twoLoaded, 101)).toMatchObject({ senderFullName: '石川 健', avatarUrl: ken.avatar_url, align: 'left' });
    expect(selectMessage(twoLoaded, 102)).toMatchObject({ senderFullName: '田中 愛', align: 'right', msgType: 'text' });
    const users = new Map(twoLoaded.users).set(2, { ...ken, full_name: '石川 けん', avatar_url: '/avatar/2?v2' });
    expect(selectMessage({ ...twoLoaded, users }, 101)).toMatchObject({ senderFullName: '石川 けん', avatarUrl: '/avatar/2?v2' });
  });
});
