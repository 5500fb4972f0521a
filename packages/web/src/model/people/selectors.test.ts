import { describe, expect, it } from 'vitest';
import { ai, general, ken, messageOf } from '../../../test/organisation.ts';
import { begin } from '../../../test/exampleState.ts';
import { type State } from '../state.ts';
import { unloaded } from '../timeline/timeline.ts';
import { selectMember } from './memberView.ts';
import { selectPresence, selectSettings, selectStatus } from './selectors.ts';
import { selectPeople } from './peopleList.ts';
import { selectMessage } from '../outbox/selectors.ts';

const { stream_id: streamId } = general;
const begun = begin();

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

  it('[I6.3] selectMember lists the main department first, then the further posts, in the order of the directory', () => {
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

  it('[I6.3] A deactivated member is still known, but is no longer listed', () => {
    const users = new Map(begun.users).set(ken.user_id, { ...ken, is_active: false });
    expect(selectMember({ ...begun, users }, ken.user_id)).toMatchObject({ fullName: '石川 健', isActive: false });
    expect(selectPeople({ ...begun, users }).map(({ userId }) => userId)).toEqual([ai.user_id]);
    expect(selectMember(begun, 99)).toBeUndefined();
  });

  it('[R2.25.3] The picture of a member who withholds it is shown nowhere, not even at earlier messages', () => {
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

  it('[R2.20.2] The selected object of a member stays identical until a value in it changes', () => {
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
