import { atOnce } from '@engawa/chat-server/parts';
import { maxDirectoryPeople } from '@engawa/protocol';
import { roles } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { departments } from '../departments/store.ts';
import { RefusedError } from '../http/errors.ts';
import { profiles } from '../profile/store.ts';
import { type Company, company, owner } from '../testing/organisation.ts';
import type { OrganisationPlan } from './plan.ts';

const nothing: OrganisationPlan = { departments: [], members: [] };
/** 株式会社 with 営業部 and 開発部, each with a 総務課. */
const tree: OrganisationPlan = {
  ...nothing,
  departments: [
    { code: 'all', displayName: '株式会社' },
    { code: 'sales', displayName: '営業部', parent: 'all' },
    { code: 'sales-office', displayName: '総務課', parent: 'sales' },
    { code: 'works', displayName: '開発部', parent: 'all' },
  ],
};
const person = (name: string, ...departments: readonly string[]) => ({
  email: `${name}@example.com`,
  fullName: `${name}さん`,
  departments,
});

const entry = (user_id: unknown, title: string, ...codes: string[]) => {
  return { user_id, reading: expect.anything(), title, departments: codes };
};

async function apply({ organisation }: Company, plan: Partial<OrganisationPlan>, by: number | 'console' = 'console') {
  return organisation.apply({ ...nothing, ...plan }, by);
}

/** With 佐藤 in 総務課 and 鈴木 in 開発部. */
async function begun() {
  const made = await company();
  await apply(made, tree);
  const { users } = await apply(made, { members: [person('sato', 'sales-office'), person('suzuki', 'works')] });
  const [sato = 0, suzuki = 0] = [users.get('sato@example.com'), users.get('suzuki@example.com')];
  return { ...made, sato, suzuki };
}

async function refusal(change: Promise<unknown>): Promise<RefusedError> {
  const error: unknown = await change.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof RefusedError)) throw new Error('it was not refused', { cause: error });
  return error;
}

describe('organisation', () => {
  it('[R1.6] Creating an organisation creates its owner, and a second organisation is refused', async () => {
    const made = await company();
    expect(made.chat.user(1)).toMatchObject({ email: owner.email, full_name: owner.fullName, role: roles.owner });
    await expect(made.organisation.create(() => made.chat.createOrganisation({ name: 'もう一つ', owner }))).rejects.toThrow(
      'already',
    );
  });

  it('[R2.5] Each new department gets a stream', async () => {
    const made = await begun();
    expect(['株式会社', '営業部', '総務課', '開発部'].map(made.streamOf)).toEqual(['株式会社', '営業部', '総務課', '開発部']);
  });
});

const stay = (stream: string) => ({ stream, email: 'sato@example.com', full_name: 'satoさん' });

it("A plan stores a member's title and reading on one line without control characters", async () => {
  const made = await begun();
  await apply(made, { members: [{ userId: made.sato, title: ' 部長\r\n\u001B[31m代理\t', reading: 'さとう\u2028はなこ' }] });
  expect(profiles.find(made.database.reader, made.sato)).toMatchObject({ title: '部長 [31m代理', reading: 'さとう はなこ' });
});

describe('stream of a department', () => {
  it('New members of a department join its stream and the streams above it', async () => {
    const made = await begun();
    const { sato, suzuki } = made;
    expect(['株式会社', '営業部', '総務課', '開発部'].map(made.inStreamOf)).toEqual([[sato, suzuki], [sato], [sato], [suzuki]]);
  });

  it("A member who changes departments leaves the former department's streams and joins the new one's", async () => {
    const made = await begun();
    const { sato, suzuki } = made;
    const { difference } = await apply(made, { members: [{ userId: sato, departments: ['works'] }] });
    expect(['株式会社', '営業部', '総務課', '開発部'].map(made.inStreamOf)).toEqual([[sato, suzuki], [], [], [sato, suzuki]]);
    expect(difference).toMatchObject({ joins: [stay('開発部')], leaves: [stay('営業部'), stay('総務課')] });
  });

  it("A department's stream keeps subscribers who were added by hand when the department changes", async () => {
    const made = await begun();
    const { sato, suzuki } = made;
    const streamId = made.department('開発部')?.streamId ?? 0;
    const stay = { streamId, joins: [sato], leaves: [] };
    await made.chat.reorganise({ id: 'by hand', by: 'console', made: [], changed: [], streams: [stay] });
    await apply(made, {
      departments: [{ code: 'works', displayName: '製造部', parent: null }],
      members: [{ userId: suzuki, departments: [] }],
    });
    expect(made.inStreamOf('製造部')).toEqual([sato]);
  });

  it('When a department moves, its members join the streams of the departments above it and leave the former ones', async () => {
    const made = await begun();
    const { sato, suzuki } = made;
    await apply(made, { departments: [{ code: 'sales-office', parent: 'works' }] });
    expect(['株式会社', '営業部', '総務課', '開発部'].map(made.inStreamOf)).toEqual([[sato, suzuki], [], [sato], [sato, suzuki]]);
  });

  it("A deactivated member changes departments without changes of streams, and after reactivation is in the new department's stream", async () => {
    const made = await begun();
    const { sato, suzuki } = made;
    await apply(made, { members: [{ userId: sato, isActive: false }] });
    await apply(made, { members: [{ userId: sato, departments: ['works'] }] });
    const streamId = made.department('開発部')?.streamId ?? 0;
    expect(made.chat.subscriberCounts([streamId]).get(streamId)).toBe(1);
    await apply(made, { members: [{ userId: sato, isActive: true }] });
    expect(['営業部', '開発部'].map(made.inStreamOf)).toEqual([[], [sato, suzuki]]);
    expect(made.chat.subscriberCounts([streamId]).get(streamId)).toBe(2);
    expect(made.ended).toEqual([sato]);
  });
});

describe("name of a department's stream", () => {
  it("If a department stream's name is in use, the parent's name is put before it and renamed with the parent", async () => {
    const made = await begun();
    await apply(made, { departments: [{ code: 'works-office', displayName: '総務課', parent: 'works' }] });
    const nameOf = (code: string) => {
      const streamId = departments.all(made.database.reader).find((row) => row.department_cd === code)?.stream_id ?? 0;
      return atOnce(made.chat.overview({ userIds: [], emails: [], streamIds: [streamId] })).streams[0]?.name;
    };
    expect([nameOf('sales-office'), nameOf('works-office')]).toEqual(['総務課', '開発部 総務課']);
    await apply(made, { departments: [{ code: 'works', displayName: '製造部' }] });
    expect([nameOf('sales-office'), nameOf('works-office')]).toEqual(['総務課', '製造部 総務課']);
  });

  it('Two departments and their streams can swap their names in one plan', async () => {
    const made = await begun();
    const before = ['営業部', '開発部'].map(made.inStreamOf);
    await apply(made, {
      departments: [
        { code: 'sales', displayName: '開発部' },
        { code: 'works', displayName: '営業部' },
      ],
    });
    expect(['開発部', '営業部'].map(made.streamOf)).toEqual(['開発部', '営業部']);
    expect(['開発部', '営業部'].map(made.inStreamOf)).toEqual(before);
  });

  it("A department's stream gets a number if all its possible names are in use, and its name is at most 60 characters long", async () => {
    const made = await company();
    const long = '部'.repeat(60);
    await apply(made, { departments: [{ code: 'a', displayName: long }] });
    await apply(made, {
      departments: [
        { code: 'b', displayName: '上' },
        { code: 'c', displayName: long, parent: 'b' },
      ],
    });
    const names = made.chat.allStreams().map(({ name }) => name);
    expect(names).toContain(`${'部'.repeat(56)} (2)`);
  });

  it("After a department is removed, a new department's stream can have the same name", async () => {
    const made = await begun();
    await apply(made, { removedDepartments: ['works'], members: [{ userId: made.suzuki, departments: [] }] });
    expect(made.chat.allStreams().find(({ name }) => name === '開発部')?.isArchived).toBe(true);
    await apply(made, { departments: [{ code: 'again', displayName: '開発部' }] });
    expect(made.streamOf('開発部')).toBe('開発部');
  });
});

describe('plan without changes', () => {
  it('A plan that names people and departments but changes nothing sends no events', async () => {
    const made = await begun();
    const before = made.told.length;
    const { users, difference } = await apply(made, {
      ...tree,
      members: [person('sato', 'sales-office'), person('suzuki', 'works')],
    });
    expect(made.told).toHaveLength(before);
    expect([...users.values()]).toEqual([made.sato, made.suzuki]);
    expect(difference.members).toEqual({ made: [], changed: [], same: 2 });
  });

  it.each([
    ['a moved department', { departments: [{ code: 'works', position: 0 }] }, { departments: true, people: [] }],
    ['a removed department', { removedDepartments: ['empty'] }, { departments: true, people: [] }],
    ['an empty department', { departments: [{ code: 'new', displayName: '新部署' }] }, { departments: true, people: [] }],
    ['a title', { members: [{ userId: 2, title: '部長' }] }, { departments: false, people: [entry(2, '部長', 'sales-office')] }],
    [
      'the order of somebody’s departments',
      { members: [{ userId: 3, departments: ['sales', 'works'] }] },
      { departments: false, people: [entry(3, '', 'sales', 'works')] },
    ],
    ['a new member', { members: [person('kato')] }, { departments: false, people: [entry(expect.any(Number), '')] }],
    ['a name', { members: [{ userId: 2, fullName: '佐藤 花子' }] }, undefined],
    ['an employee number', { members: [{ userId: 2, employeeNumber: '17' }] }, undefined],
    ['a password', { members: [{ userId: 2, passwordHash: 'another' }] }, undefined],
  ])(
    'A plan with one change publishes once what changed in the directory: %s',
    async (_, plan: Partial<OrganisationPlan>, change) => {
      const made = await begun();
      await apply(made, {
        departments: [{ code: 'empty', displayName: '空' }],
        members: [{ userId: 3, departments: ['works', 'sales'] }],
      });
      const before = made.told.length;
      await apply(made, plan);
      expect(made.told.slice(before)).toEqual(change ? [change] : []);
    },
  );

  it('A plan that changes more than `maxDirectoryPeople` members publishes no entries', async () => {
    const made = await begun();
    const newcomers = Array.from({ length: 2 * maxDirectoryPeople + 1 }, (_, index) => person(`p${index}`));
    await apply(made, { members: newcomers.slice(0, maxDirectoryPeople) });
    expect(made.told.at(-1)?.people).toHaveLength(maxDirectoryPeople);
    await apply(made, { members: newcomers.slice(maxDirectoryPeople) });
    expect(made.told.at(-1)).toEqual({ people: undefined, departments: false });
  });

  it("A plan that names a member adds them to their department's stream again if they have left it", async () => {
    const made = await begun();
    const streamId = made.department('開発部')?.streamId ?? 0;
    const left = { streamId, joins: [], leaves: [made.suzuki] };
    await made.chat.reorganise({ id: 'by hand', by: 'console', made: [], changed: [], streams: [left] });
    await apply(made, { members: [{ userId: made.suzuki }] });
    expect(made.inStreamOf('開発部')).toEqual([made.suzuki]);
  });
});

describe('invalid plan', () => {
  it.each([
    ['a department below itself', { departments: [{ code: 'all', parent: 'sales' }] }, 400, 'BAD_REQUEST'],
    ['a department below an unknown one', { departments: [{ code: 'all', parent: 'nowhere' }] }, 404, 'NOT_FOUND'],
    ['two siblings of the same name', { departments: [{ code: 'works', displayName: ' 営業部' }] }, 400, 'BAD_REQUEST'],
    ['an invisible name', { departments: [{ code: 'works', displayName: '\u200b' }] }, 400, 'BAD_REQUEST'],
    ['removing a department with members', { removedDepartments: ['works'] }, 400, 'DEPARTMENT_NOT_EMPTY'],
    ['removing a department with children', { removedDepartments: ['sales'] }, 400, 'DEPARTMENT_NOT_EMPTY'],
    ['another member’s email', { members: [{ userId: 2, email: 'SUZUKI@example.com' }] }, 409, 'EMAIL_IN_USE'],
    ['an invalid email', { members: [person('a b')] }, 400, 'REQUEST_VARIABLE_INVALID'],
    ['an empty name', { members: [{ ...person('kato'), fullName: '' }] }, 400, 'BAD_REQUEST'],
    ['an unknown department', { members: [person('kato', 'nowhere')] }, 404, 'NOT_FOUND'],
    ['an unknown member', { members: [{ userId: 99 }] }, 404, 'NOT_FOUND'],
    ['a member twice', { members: [{ userId: 2 }, { email: 'sato@example.com' }] }, 409, 'EMAIL_IN_USE'],
    ['deactivating the only owner', { members: [{ userId: 1, isActive: false }] }, 400, 'CANNOT_DEACTIVATE_LAST_USER'],
    ['demoting the only owner', { members: [{ userId: 1, role: roles.member }] }, 400, 'CANNOT_DEACTIVATE_LAST_USER'],
  ])('An invalid plan is refused: %s', async (_, plan: Partial<OrganisationPlan>, status, code) => {
    const made = await begun();
    const before = [made.inStreamOf('株式会社'), made.department('株式会社')];
    expect(await refusal(apply(made, plan))).toMatchObject({ status, code });
    expect([made.inStreamOf('株式会社'), made.department('株式会社')]).toEqual(before);
    // The next plan runs.
    await apply(made, { departments: [{ code: 'works', displayName: '製造部' }] });
    expect(made.streamOf('製造部')).toBe('製造部');
  });

  it('A plan with one invalid change is refused, and none of its other changes is made', async () => {
    const made = await begun();
    const plan = {
      departments: [{ code: 'works', displayName: '製造部' }],
      members: [person('kato', 'works'), { userId: 1, isActive: false }],
    };
    expect(await refusal(apply(made, plan))).toMatchObject({ code: 'CANNOT_DEACTIVATE_LAST_USER' });
    expect([made.streamOf('開発部'), made.inStreamOf('開発部')]).toEqual(['開発部', [made.suzuki]]);
    expect((await apply(made, { members: [person('kato')] })).difference.members.made).toHaveLength(1);
  });
});

describe('rights for a plan', () => {
  it.each([
    ['a member', roles.member, { members: [] }, 403],
    ['a guest', roles.guest, { members: [] }, 403],
    ['a moderator', roles.moderator, { departments: [{ code: 'works', displayName: '製造部' }] }, 403],
    ['an administrator, for a new owner', roles.administrator, { members: [{ userId: 3, role: roles.owner }] }, 403],
    ['an administrator, for an owner’s role', roles.administrator, { members: [{ userId: 1, role: roles.member }] }, 403],
    ['an administrator, for an owner’s email', roles.administrator, { members: [{ userId: 1, email: 'mine@example.com' }] }, 403],
    ['an administrator, for an owner’s password', roles.administrator, { members: [{ userId: 1, passwordHash: 'mine' }] }, 403],
    ['an administrator, for deactivating an owner', roles.administrator, { members: [{ userId: 1, isActive: false }] }, 403],
    [
      'an administrator, for a member who becomes an owner',
      roles.administrator,
      { members: [{ ...person('kato'), role: roles.owner }] },
      403,
    ],
  ])('[R6.2] A plan is refused to %s', async (_, role, plan: Partial<OrganisationPlan>, status) => {
    const made = await begun();
    await apply(made, { members: [{ userId: made.sato, role }] });
    expect(await refusal(apply(made, plan, made.sato))).toMatchObject({ status, code: 'UNAUTHORIZED_PRINCIPAL' });
  });

  it("A plan that waits for another one checks the administrator's role again when it runs", async () => {
    const made = await begun();
    await apply(made, { members: [{ userId: made.sato, role: roles.administrator }] });
    const rename = { departments: [{ code: 'works', displayName: '製造部' }] };
    const [, late] = await Promise.allSettled([
      apply(made, { members: [{ userId: made.sato, role: roles.member }] }),
      apply(made, rename, made.sato),
    ]);
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'UNAUTHORIZED_PRINCIPAL' } });
    await apply(made, { members: [{ userId: made.sato, role: roles.administrator }] });
    await apply(made, rename, made.sato);
    expect(made.streamOf('製造部')).toBe('製造部');
  });
});
