/** A change of the organisation that is interrupted between its steps is completed at the next start. */
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { ChatServer } from '@engawa/chat-server';
import { WriteFailedError } from '@engawa/chat-server/database';
import { atOnce } from '@engawa/chat-server/parts';
import { roles } from '@engawa/protocol';
import { departmentsWithin } from '@engawa/protocol/product';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { departments } from '../departments/store.ts';
import { departmentTree } from '../departments/tree.ts';
import { profiles } from '../profile/store.ts';
import { companyIn, emptyDirectory, owner } from '../testing/organisation.ts';
import type { OrganisationPlan } from './plan.ts';
import { pendingChange } from './store.ts';

const begins: OrganisationPlan = {
  departments: [
    { code: 'all', displayName: '株式会社' },
    { code: 'sales', displayName: '営業部', parent: 'all' },
    { code: 'works', displayName: '開発部', parent: 'all' },
    { code: 'old', displayName: '旧部署', parent: 'all' },
  ],
  members: [
    { email: 'sato@example.com', fullName: '佐藤 花子', departments: ['sales'] },
    { email: 'suzuki@example.com', fullName: '鈴木 一郎', departments: ['works', 'sales'] },
  ],
};
/** Contains every kind of change. */
const changes: OrganisationPlan = {
  departments: [
    { code: 'sales', displayName: '販売部' },
    { code: 'new', displayName: '総務課', parent: 'sales' },
    { code: 'works', parent: 'sales', position: 0 },
  ],
  removedDepartments: ['old'],
  members: [
    { email: 'kato@example.com', fullName: '加藤 直樹', reading: 'かとう なおき', title: '課長', departments: ['new', 'works'] },
    { email: 'sato@example.com', fullName: '佐藤 花代', departments: ['works'], role: roles.administrator },
    { email: 'suzuki@example.com', isActive: false },
  ],
};

type Step = 'reorganise' | 'publishDirectory';

/** A chat server that fails at one call, before or after carrying it out. */
function endingAt(step: Step, when: 'before' | 'after') {
  return (chat: ChatServer): ChatServer => ({
    ...chat,
    async [step](...asked: readonly unknown[]) {
      if (when === 'after') await Reflect.apply(chat[step], chat, asked);
      throw new Error('the power is gone');
    },
  });
}

type Company = ReturnType<typeof companyIn>;

function look({ database, chat }: Company) {
  const { reader } = database;
  const rows = departments.all(reader);
  const streamIds = rows.flatMap(({ stream_id }) => stream_id ?? []);
  const everybody = chat.allUsers();
  return {
    tree: departmentTree(rows, departments.members(reader)),
    posts: departments.postsAmong(
      reader,
      everybody.map(({ userId }) => userId),
    ),
    profiles: profiles.after(reader, 0, 100),
    people: everybody.map((person) => ({ ...person, joined: 0 })),
    streams: chat.allStreams().map((stream) => ({ ...stream, created: 0 })),
    stays: atOnce(chat.overview({ userIds: everybody.map(({ userId }) => userId), emails: [], streamIds })).stays,
    activity: pendingChange.get(reader),
  };
}

async function begun(directory: string, chatOf?: (chat: ChatServer) => ChatServer): Promise<Company> {
  const first = companyIn(directory);
  await first.organisation.create(() => first.chat.createOrganisation({ name: '株式会社 縁側', owner }));
  await first.organisation.apply(begins, 'console');
  if (!chatOf) return first;
  await first.close();
  return companyIn(directory, chatOf);
}

async function uninterrupted() {
  const company = await begun(emptyDirectory());
  onTestFinished(() => company.close());
  await company.organisation.apply(changes, 'console');
  return look(company);
}

describe('interrupted change', () => {
  it.each([
    ['an interruption after the plan is stored', 'reorganise', 'before'],
    ['an interruption after the chat server’s part', 'reorganise', 'after'],
    ['an interruption after both databases changed', 'publishDirectory', 'before'],
    ['an interruption after the notification', 'publishDirectory', 'after'],
  ] as const)('A change with %s is complete after the next start, exactly once', async (_, step, when) => {
    const whole = await uninterrupted();
    const directory = emptyDirectory();
    const cut = await begun(directory, endingAt(step, when));
    const applied = cut.organisation.apply(changes, 'console');
    // Once both databases have it, the change is done, even if notifications are missing.
    await (step === 'publishDirectory' ? applied : expect(applied).rejects.toThrow('the power is gone'));
    expect(look(cut).activity).toBeDefined();
    await cut.close();

    const next = companyIn(directory);
    onTestFinished(() => next.close());
    await next.organisation.resume();
    expect(look(next)).toEqual(whole);
    // Nothing is left to do, and repeating the change has no effect.
    await next.organisation.resume();
    const again = await next.organisation.apply({ ...changes, removedDepartments: [] }, 'console');
    expect(again.difference).toMatchObject({ members: { made: [], changed: [], same: 3 }, joins: [], leaves: [] });
    expect(look(next)).toEqual(whole);
    const tree = departmentTree(departments.all(next.database.reader), []).flatMap(departmentsWithin);
    expect(tree.map(({ displayName }) => displayName)).toEqual(['株式会社', '販売部', '開発部', '総務課']);
  });

  it('After a restart, an interrupted change of the organisation still ends the sessions of the members it deactivates', async () => {
    const directory = emptyDirectory();
    const cut = await begun(directory, endingAt('reorganise', 'after'));
    await expect(cut.organisation.apply(changes, 'console')).rejects.toThrow('the power is gone');
    await cut.close();
    const next = companyIn(directory);
    onTestFinished(() => next.close());
    await next.organisation.resume();
    expect(next.ended).toEqual(
      atOnce(next.chat.overview({ userIds: [], emails: ['suzuki@example.com'], streamIds: [] })).people.map(
        ({ userId }) => userId,
      ),
    );
  });

  it('An interrupted change of the organisation that the chat server refuses is dropped, and the next plan runs', async () => {
    const directory = emptyDirectory();
    const first = await begun(directory, endingAt('reorganise', 'before'));
    const { people } = atOnce(first.chat.overview({ userIds: [], emails: ['sato@example.com'], streamIds: [] }));
    const [sato = 0] = people.map(({ userId }) => userId);
    // 佐藤 is not an administrator, so the chat server would have refused.
    await expect(first.organisation.apply(changes, sato)).rejects.toThrow('the power is gone');
    const before = look(first);
    await first.close();
    const next = companyIn(directory);
    onTestFinished(() => next.close());
    await next.organisation.resume();
    expect(look(next)).toEqual({ ...before, activity: undefined });
    await next.organisation.apply(changes, 'console');
  });

  it('An interrupted change of the organisation is completed before the next plan runs, even without a restart', async () => {
    const whole = await uninterrupted();
    const directory = emptyDirectory();
    await (await begun(directory)).close();
    let fails = true;
    const company = companyIn(directory, (chat) => ({
      ...chat,
      async publishDirectory(change) {
        if (fails) throw new Error('the disk is full');
        await chat.publishDirectory(change);
      },
    }));
    onTestFinished(() => company.close());
    await company.organisation.apply(changes, 'console');
    expect(look(company).activity).toBeDefined();
    fails = false;
    await company.organisation.apply({ departments: [], members: [] }, 'console');
    expect(look(company)).toEqual(whole);
  });

  it('If a full disk interrupts a change of the organisation, the caller gets TO_BE_COMPLETED, and the change is completed later', async () => {
    const whole = await uninterrupted();
    const directory = emptyDirectory();
    const company = await begun(directory);
    onTestFinished(() => company.close());
    const other = new DatabaseSync(join(directory, 'engawa.db'));
    onTestFinished(() => other.close());
    other.exec("CREATE TRIGGER full BEFORE UPDATE ON organisation_change BEGIN SELECT RAISE(ABORT, 'full'); END");
    await expect(company.organisation.apply(changes, 'console')).rejects.toMatchObject({ status: 503, code: 'TO_BE_COMPLETED' });
    // No plan starts on a half-done change.
    await expect(company.organisation.apply({ departments: [], members: [] }, 'console')).rejects.toThrow(WriteFailedError);
    // It does not prevent a start either.
    const again = companyIn(directory);
    await again.organisation.resume();
    expect(look(again).activity).toBeDefined();
    await again.close();
    other.exec('DROP TRIGGER full');
    await expect.poll(() => look(company)).toEqual(whole);
  });

  it("An interrupted change of the organisation stays pending until the chat server's database can be written", async () => {
    const whole = await uninterrupted();
    const directory = emptyDirectory();
    const cut = await begun(directory, endingAt('reorganise', 'after'));
    await expect(cut.organisation.apply(changes, 'console')).rejects.toThrow('the power is gone');
    await cut.close();
    let isLocked = true;
    const next = companyIn(directory, (chat) => ({
      ...chat,
      async reorganise(asked) {
        if (isLocked) throw new WriteFailedError('the transaction failed');
        return chat.reorganise(asked);
      },
    }));
    onTestFinished(() => next.close());
    await next.organisation.resume();
    expect(look(next).activity).toBeDefined();
    isLocked = false;
    await expect.poll(() => look(next)).toEqual(whole);
  });

  it('An interrupted change of the organisation that keeps failing is retried with growing delays, one attempt at a time', async () => {
    const directory = emptyDirectory();
    const cut = await begun(directory, endingAt('reorganise', 'before'));
    await expect(cut.organisation.apply(changes, 'console')).rejects.toThrow('the power is gone');
    await cut.close();
    const tries: number[] = [];
    const next = companyIn(directory, (chat) => ({
      ...chat,
      async reorganise() {
        tries.push(performance.now());
        throw new WriteFailedError('the transaction failed');
      },
    }));
    onTestFinished(() => next.close());
    // Nor does the product's own database.
    const other = new DatabaseSync(join(directory, 'engawa.db'));
    onTestFinished(() => other.close());
    other.exec("CREATE TRIGGER full BEFORE DELETE ON organisation_change BEGIN SELECT RAISE(ABORT, 'full'); END");
    await next.organisation.resume();
    await expect.poll(() => tries.length).toBeGreaterThan(4);
    const pauses = tries.slice(1).map((at, index) => at - (tries[index] ?? 0));
    // The delay starts at 50 milliseconds and doubles; a timer may fire a fraction early.
    expect(pauses.filter((pause, index) => pause < 50 * 2 ** index - 5)).toEqual([]);
  });

  it('The delay between attempts of an interrupted change doubles up to ten minutes, and is reset after a success', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const directory = emptyDirectory();
    await (await begun(directory)).close();
    let [tries, isFailing] = [0, true];
    const company = companyIn(directory, (chat) => ({
      ...chat,
      async reorganise(asked) {
        tries += 1;
        // An unknown error: the chat server may have done its part.
        if (isFailing) throw new Error('it is out of order');
        return chat.reorganise(asked);
      },
    }));
    onTestFinished(() => company.close());
    const said = () => company.logged.filter(({ event }) => event === 'organisation_change_delayed').length;
    const triedAfter = async (rest: number) => {
      const before = tries;
      await vi.advanceTimersByTimeAsync(rest - 1);
      expect(tries).toBe(before);
      await vi.advanceTimersByTimeAsync(1);
      await expect.poll(said).toBe(before + 1);
      expect(tries).toBe(before + 1);
    };
    await expect(company.organisation.apply(changes, 'console')).rejects.toThrow('out of order');
    expect(said()).toBe(1);
    for (let rest = 50; rest < 600_000; rest *= 2) await triedAfter(rest);
    await triedAfter(600_000);
    await triedAfter(600_000);

    // A new call does not wait for the retry.
    isFailing = false;
    const before = [said(), tries];
    await company.organisation.apply({ departments: [{ code: 'all', displayName: '縁側' }], members: [] }, 'console');
    expect(look(company).activity).toBeUndefined();
    expect([said(), tries]).toEqual([before[0], (before[1] ?? 0) + 2]);

    isFailing = true;
    tries = said();
    await expect(
      company.organisation.apply({ departments: [{ code: 'all', displayName: '株式会社' }], members: [] }, 'console'),
    ).rejects.toThrow();
    await triedAfter(50);
    await triedAfter(100);
  });
});
