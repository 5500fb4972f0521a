import { describe, expect, it } from 'vitest';
import { ai, design, general, ken, messageOf, sessionOf } from '../../test/organisation.ts';
import { begin } from '../../test/exampleState.ts';
import { outgoing } from './outbox/outgoing.ts';
import { attempted, progressed, queued } from './outbox/changes.ts';
import { initialState, type State } from './state.ts';
import { unloaded } from './timeline/timeline.ts';
import { selectMember, selectPeople, selectPresence, selectSettings, selectStatus } from './people/selectors.ts';
import { selectMentionedGroup, selectMentionedUser } from './people/mentions.ts';
import { selectMessage, selectTimeline } from './outbox/selectors.ts';
import {
  selectStream,
  selectStreamIds,
  selectTotalCalls,
  selectTotalMentions,
  selectTotalUnread,
} from './conversations/selectors.ts';

const { stream_id: streamId } = general;
const messages = [messageOf(101, ken, general, 'おはよう'), messageOf(102, ai, general, '了解')];
const begun: State = {
  ...begin({
    unread: new Map([
      [streamId, new Set([101])],
      [design.stream_id, new Set([50, 60])],
    ]),
  }),
  timelines: new Map([[streamId, { ...unloaded, messages }]]),
};
describe('The list of streams', () => {
  it('The list of streams is ordered by the newest unread message until previews are loaded, then by the newest message', () => {
    expect(selectStreamIds(begun)).toEqual([streamId, design.stream_id]);
    const newest = new Map([[design.stream_id, messageOf(103, ken, design, 'x')]]);
    expect(selectStreamIds({ ...begun, newest })).toEqual([design.stream_id, streamId]);
    expect(selectStreamIds(initialState(sessionOf(ai, [])))).toBeUndefined();
  });

  it('[I5.5] Mentions are counted separately, and in their total also those of a muted stream', () => {
    const flagged = { mentioned: new Set([50, 101, 999]), alerted: new Set([60]), starChanges: 0 };
    expect(selectStream({ ...begun, flagged }, design.stream_id)?.mentionCount).toBe(1);
    expect(selectTotalMentions({ ...begun, flagged })).toBe(2);
    expect(selectTotalMentions(begun)).toBe(0);
  });

  it('[R2.11.2] The total of calls excludes mentions in muted and archived streams', () => {
    const called = { ...begun, flagged: { ...begun.flagged, mentioned: new Set([50, 101]) } };
    expect(selectTotalCalls(called)).toBe(1);
    const away = new Map([...(begun.subscriptions ?? [])].map(([id, each]) => [id, { ...each, put_away: true }]));
    expect(selectTotalCalls({ ...called, subscriptions: away })).toBe(0);
  });

  it('[R3.1] [R2.11.3] A muted or archived stream counts in its row and not in the total', () => {
    expect(selectStream(begun, design.stream_id)?.unReadCount).toBe(2);
    expect(selectTotalUnread(begun)).toBe(1);
    const archived = new Map([...(begun.subscriptions ?? [])].map(([id, each]) => [id, { ...each, put_away: true }]));
    expect(selectTotalUnread({ ...begun, subscriptions: archived })).toBe(0);
  });

  it('[R2.6] The list of streams previews a file by its name, and a deleted message without text', () => {
    const content = `engawa-file,見積,最終.xlsx,${'a'.repeat(20)}.xlsx,5`;
    const preview = (newest: State['newest']) => selectStream({ ...begun, newest }, streamId)?.message;
    const file = messageOf(103, ken, general, content);
    expect(preview(new Map([[streamId, file]]))).toMatchObject({ kind: 'file', text: '見積,最終.xlsx' });
    expect(preview(new Map([[streamId, { ...file, deleted: true }]]))).toMatchObject({ kind: 'deleted', text: '' });
  });
});

describe('The rows of a timeline', () => {
  const sent = outgoing(streamId, '了解', 0);

  it('The rows of a timeline end with outgoing messages', () => {
    expect(selectTimeline(queued(begun, [sent]), streamId)?.keys).toEqual([101, 102, sent.localKey]);
  });

  it('A timeline does not show an outgoing message next to the message that matches it', () => {
    const seeming = queued(begun, [{ ...sent, messageId: 102 }]);
    expect(selectTimeline(seeming, streamId)?.keys).toEqual([101, 102]);
  });

  it('The rows of a timeline stay identical while only one of them changes', () => {
    const sending = attempted(queued(begun, [sent]), sent.localKey);
    const before = selectTimeline(sending, streamId);
    const uploading = progressed(sending, sent.localKey, 0.5);
    expect(selectTimeline(uploading, streamId)).toBe(before);
    expect(selectMessage(uploading, sent.localKey)?.progress).toBe(0.5);
  });
});

function called(...flags: string[]) {
  const timeline = { ...unloaded, messages: [{ ...messageOf(101, ken, general, 'x'), flags }] };
  return selectMessage({ ...begun, timelines: new Map([[streamId, timeline]]) }, 101)?.called;
}

describe('A mention', () => {
  const departments = [
    {
      departmentCd: '1',
      displayName: '開発本部',
      memberIds: [],
      children: [{ departmentCd: '1-1', displayName: 'デザイン室', memberIds: [ai.user_id] }],
    },
    { departmentCd: '2', displayName: '営業本部', memberIds: [ken.user_id] },
  ];

  it('[I5.5] A mention names the user with that name or id by their current name', () => {
    expect(selectMentionedUser(begun, '石川 健', undefined)).toEqual({ name: '石川 健', userId: ken.user_id, isMe: false });
    expect(selectMentionedUser(begun, '田中 愛', undefined)).toEqual({ name: '田中 愛', userId: ai.user_id, isMe: true });
    expect(selectMentionedUser(begun, '旧姓 愛', ai.user_id)).toEqual({ name: '田中 愛', userId: ai.user_id, isMe: true });
    expect(selectMentionedUser(begun, '', ken.user_id)).toEqual({ name: '石川 健', userId: ken.user_id, isMe: false });
    expect(selectMentionedUser(begun, '誰か', undefined)).toBeUndefined();
    expect(selectMentionedUser(begun, '石川 健', 99)).toBeUndefined();
  });

  it('[I5.5, R4.12] A mention by a former name shows the current name of the member who had it last', () => {
    const formerNames = [
      { user_id: ken.user_id, name: '石田 健' },
      { user_id: ai.user_id, name: '石田 健' },
      { user_id: ai.user_id, name: '石川 健' },
    ];
    expect(selectMentionedUser({ ...begun, formerNames }, '石田 健', undefined)).toEqual({
      name: '田中 愛',
      userId: ai.user_id,
      isMe: true,
    });
    expect(selectMentionedUser({ ...begun, formerNames }, '石川 健', undefined)).toEqual({
      name: '石川 健',
      userId: ken.user_id,
      isMe: false,
    });
    expect(selectMentionedUser({ ...begun, formerNames }, '石田 健', 99)).toBeUndefined();
  });

  it('[I5.5] A mention of a name that two members share counts as a mention of each', () => {
    const users = new Map(begun.users).set(3, { ...ken, user_id: 3, full_name: '田中 愛' });
    const named = selectMentionedUser({ ...begun, users, memberId: 3 }, '田中 愛', undefined);
    expect(named).toEqual({ name: '田中 愛', userId: ai.user_id, isMe: true });
  });

  it('[I5.5] A mention of a department names all members within it', () => {
    expect(selectMentionedGroup(begun, '開発本部')).toBeUndefined();
    const state = { ...begun, departments };
    expect(selectMentionedGroup(state, '開発本部')).toEqual({ name: '開発本部', isMe: true });
    expect(selectMentionedGroup(state, '営業本部')).toEqual({ name: '営業本部', isMe: false });
    expect(selectMentionedGroup(state, '総務部')).toBeUndefined();
  });

  it('[I5.5] A mention is the identical object until it names another user', () => {
    const state = { ...begun, departments };
    const user = selectMentionedUser(state, '石川: 健', ken.user_id);
    expect(selectMentionedUser({ ...state }, '石川: 健', ken.user_id)).toBe(user);
    expect(selectMentionedGroup({ ...state }, '開発本部')).toBe(selectMentionedGroup(state, '開発本部'));
  });
});

describe('A message', () => {
  it('[I5.5] A message shows whether it mentions the member, or else contains an alert word', () => {
    expect(called('read', 'mentioned', 'has_alert_word')).toBe('mention');
    expect(called('wildcard_mentioned')).toBe('mention');
    expect(called('has_alert_word')).toBe('alert');
    expect(called('read')).toBeUndefined();
  });

  it('[R3.2, R2.14] A message shows its sender’s current name, and its side', () => {
    expect(selectMessage(begun, 101)).toMatchObject({ senderFullName: '石川 健', avatarUrl: ken.avatar_url, align: 'left' });
    expect(selectMessage(begun, 102)).toMatchObject({ senderFullName: '田中 愛', align: 'right', msgType: 'text' });
    const users = new Map(begun.users).set(2, { ...ken, full_name: '石川 けん', avatar_url: '/avatar/2?v2' });
    expect(selectMessage({ ...begun, users }, 101)).toMatchObject({ senderFullName: '石川 けん', avatarUrl: '/avatar/2?v2' });
  });
});

describe('A member', () => {
  const departments = [
    {
      departmentCd: '1',
      displayName: '開発本部',
      memberIds: [ken.user_id],
      children: [{ departmentCd: '1-1', displayName: 'デザイン室', memberIds: [ken.user_id] }],
    },
  ];
  const entry = { user_id: ken.user_id, reading: 'いしかわ けん', title: '部長', location: '大阪支社' };
  const placed = (codes: readonly string[]) => {
    const directory = new Map([[ken.user_id, { ...entry, departments: [...codes] }]]);
    const member = selectMember({ ...begun, departments, directory }, ken.user_id);
    return member?.departments.map(({ department, isConcurrent }) => [department.displayName, isConcurrent]);
  };

  it('[I6.3] A member lists the main department first and marks concurrent posts, in the order of the directory', () => {
    expect(placed(['1-1', '1'])).toEqual([
      ['デザイン室', false],
      ['開発本部', true],
    ]);
    expect(placed(['1', '1-1'])).toEqual([
      ['開発本部', false],
      ['デザイン室', true],
    ]);
    expect(placed(['1-1'])).toEqual([
      ['デザイン室', false],
      ['開発本部', true],
    ]);
    expect(placed([])).toEqual([
      ['開発本部', false],
      ['デザイン室', true],
    ]);
  });

  it('[I6.3] A member stays known after deactivation', () => {
    const users = new Map(begun.users).set(ken.user_id, { ...ken, is_active: false });
    expect(selectMember({ ...begun, users }, ken.user_id)).toMatchObject({ fullName: '石川 健', isActive: false });
    expect(selectPeople({ ...begun, users }).map(({ userId }) => userId)).toEqual([ai.user_id]);
    expect(selectMember(begun, 99)).toBeUndefined();
  });

  it('[R2.25.3] A member who withholds their photo shows it nowhere, not even on earlier messages', () => {
    const users = new Map(begun.users).set(ken.user_id, { ...ken, avatar_url: null });
    const said = messageOf(101, ken, general, 'おはよう');
    const withPicture: State = {
      ...begun,
      timelines: new Map([[streamId, { ...unloaded, messages: [{ ...said, avatar_url: ken.avatar_url ?? null }] }]]),
    };
    expect(selectMessage(withPicture, 101)?.avatarUrl).toBe(ken.avatar_url);
    expect(selectMessage({ ...withPicture, users }, 101)?.avatarUrl).toBeUndefined();
    expect(selectMember({ ...begun, users }, ken.user_id)?.avatarUrl).toBeUndefined();
  });

  it('[R2.20.2] The view of a member is the identical object until something in it changes', () => {
    const presences = new Map([[ken.user_id, { active: 1000, idle: 1000 }]]);
    const statuses = new Map([[ken.user_id, { text: '会議中', busy: true, until: 1100 }]]);
    const then: State = { ...begun, presences, statuses, now: 1050 };
    for (const select of [selectMember, selectPresence, selectStatus]) {
      expect(select({ ...then, now: 1099 }, ken.user_id)).toBe(select(then, ken.user_id));
    }
    expect(selectSettings({ ...then, now: 1099 })).toBe(selectSettings(then));
    expect(selectPresence({ ...then, now: 1201 }, ken.user_id)).toEqual({ kind: 'offline', lastSeen: 1000 });
    expect(selectStatus({ ...then, now: 1100 }, ken.user_id)).toBeUndefined();
  });
});
