import { describe, expect, it } from 'vitest';
import { general, lunch } from '../../../test/organisation.ts';
import { begin } from '../../../test/exampleState.ts';
import { opened } from '../timeline/changes.ts';
import { after } from '../../../test/exampleState.ts';

const begun = begin();

describe('Streams', () => {
  const subscription = 'subscription';

  it('A stream appears with the member’s subscription and disappears when the subscription ends', () => {
    const open = opened(begun, general.stream_id);
    const joined = after(open, { id: 1, type: subscription, op: 'add', subscriptions: [lunch] });
    expect(joined.subscriptions?.get(lunch.stream_id)?.name).toBe('ランチ');
    const { name, stream_id } = general;
    const left = after(joined, { id: 2, type: subscription, op: 'remove', subscriptions: [{ name, stream_id }] });
    expect(left.subscriptions?.has(stream_id)).toBe(false);
    expect(left.current).toBeUndefined();
  });

  it('A stream lists each subscriber once, even if the subscriber is added twice', () => {
    const peers = { type: subscription, stream_ids: [general.stream_id], user_ids: [2, 3] } as const;
    const event = { ...peers, stream_ids: [...peers.stream_ids], user_ids: [...peers.user_ids] };
    const joined = after(begun, { id: 1, ...event, op: 'peer_add' });
    expect(joined.subscriptions?.get(general.stream_id)?.subscribers).toEqual([1, 2, 3]);
    const left = after(joined, { id: 2, ...event, op: 'peer_remove' });
    expect(left.subscriptions?.get(general.stream_id)?.subscribers).toEqual([1]);
  });

  it('A stream gets its new name when the event of the change arrives', () => {
    const { stream_id } = general;
    const renamed = after(begun, { id: 1, type: 'stream', op: 'update', stream_id, property: 'name', value: '全社' });
    expect(renamed.subscriptions?.get(stream_id)?.name).toBe('全社');
  });
});
