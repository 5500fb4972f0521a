import { describe, expect, it, vi } from 'vitest';
import { ai, design, general, ken, messageOf, sessionOf } from '../../../test/organisation.ts';
import { twoLoaded } from '../../../test/exampleState.ts';
import { initialState, type State } from '../state.ts';
import { selectStream, selectStreamIds, selectTotalMentions, selectTotalUnread } from './selectors.ts';
import { selectUnreadMark } from './unreadMark.ts';

const { stream_id: streamId } = general;
describe('The list of streams', () => {
  it('Streams are ordered by their newest unread message until the newest messages are loaded, and then by these', () => {
    expect(selectStreamIds(twoLoaded)).toEqual([streamId, design.stream_id]);
    const newest = new Map([[design.stream_id, messageOf(103, ken, design, 'x')]]);
    expect(selectStreamIds({ ...twoLoaded, newest })).toEqual([design.stream_id, streamId]);
    expect(selectStreamIds(initialState(sessionOf(ai, [])))).toBeUndefined();
  });

  it('[I5.5] Mentions are counted apart from other unread messages', () => {
    const flagged = { mentioned: new Set([50, 101, 999]), alerted: new Set([60]), starChanges: 0 };
    expect(selectStream({ ...twoLoaded, flagged }, design.stream_id)?.mentionCount).toBe(1);
    expect(selectTotalMentions({ ...twoLoaded, flagged })).toBe(1);
    expect(selectTotalMentions(twoLoaded)).toBe(0);
  });

  it('[R2.11.2] The list of mentions marks as counted what selectTotalMentions counts: no muted or archived stream', () => {
    const called = { ...twoLoaded, flagged: { ...twoLoaded.flagged, mentioned: new Set([50, 101]) } };
    expect(selectTotalMentions(called)).toBe(1);
    expect(selectUnreadMark(called, streamId, 101)).toBe('counted');
    expect(selectUnreadMark(called, design.stream_id, 50)).toBe('muted');
    expect(selectUnreadMark(called, streamId, 999)).toBeUndefined();
    const away = new Map([...(twoLoaded.subscriptions ?? [])].map(([id, each]) => [id, { ...each, put_away: true }]));
    expect(selectTotalMentions({ ...called, subscriptions: away })).toBe(0);
    expect(selectUnreadMark({ ...called, subscriptions: away }, streamId, 101)).toBe('muted');
  });

  it('[R3.1] [R2.11.3] A muted or archived stream shows its unread count in the list, but the total does not include it', () => {
    expect(selectStream(twoLoaded, design.stream_id)?.unReadCount).toBe(2);
    expect(selectTotalUnread(twoLoaded)).toBe(1);
    const archived = new Map([...(twoLoaded.subscriptions ?? [])].map(([id, each]) => [id, { ...each, put_away: true }]));
    expect(selectTotalUnread({ ...twoLoaded, subscriptions: archived })).toBe(0);
  });

  it('The unread messages of muted topics are subtracted in one computation for all totals of a state', () => {
    const reading = new Set([101]);
    const union = vi.spyOn(reading, 'union');
    const state = { ...twoLoaded, reading, muted: { topics: new Set<string>(), unread: new Set([50]) } };
    expect([selectTotalUnread(state), selectStream(state, design.stream_id)?.unReadCount]).toEqual([0, 1]);
    expect(selectTotalMentions(state)).toBe(0);
    expect(union).toHaveBeenCalledOnce();
  });

  it('[R2.6] The list of streams shows the name of a newest file, and no text for a deleted newest message', () => {
    const content = `engawa-file,見積,最終.xlsx,${'a'.repeat(20)}.xlsx,5`;
    const preview = (newest: State['newest']) => selectStream({ ...twoLoaded, newest }, streamId)?.message;
    const file = messageOf(103, ken, general, content);
    expect(preview(new Map([[streamId, file]]))).toMatchObject({ kind: 'file', text: '見積,最終.xlsx' });
    expect(preview(new Map([[streamId, { ...file, deleted: true }]]))).toMatchObject({ kind: 'deleted', text: '' });
  });
});
