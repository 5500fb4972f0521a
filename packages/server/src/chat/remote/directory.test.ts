import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '@engawa/chat-server/database';
import { connect, fetchApiKey, getStreams, getSubscriptions, subscribe } from '@engawa/client';
import type { DirectoryChange } from '@engawa/protocol';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { migrations } from '../../database/migrations.ts';
import { departments } from '../../departments/store.ts';
import { createImporter, importFile } from '../../import/importer.ts';
import { refused } from '../../http/errors.ts';
import { pendingChange } from '../../organisation/store.ts';
import { createOrganisation } from '../../organisation/organisation.ts';
import { startZulip } from '../../testing/zulip/zulip.ts';
import type { Actor, Asker } from '../backend.ts';
import { basicAuthorization } from '../connections.ts';
import { zulipDirectory } from './directory.ts';

const zulip = await startZulip({ callsPerMinute: 100_000 });
afterAll(() => zulip.close());

/** @returns the member with the key of a real sign-in. */
async function signedIn(name: string) {
  const visitor = connect({ realm: zulip.url });
  const key = await fetchApiKey(visitor, { username: `${name}@engawa.example`, password: 'demo' });
  const authorization = basicAuthorization(key.email, key.api_key);
  return { id: key.user_id ?? 0, authorization };
}
const owner = await signedIn('takahashi.koichi');
const member = await signedIn('sato');
const guest = await signedIn('murakami');
const ofOwner = connect({ realm: zulip.url, headers: { authorization: owner.authorization } });
const shown = (id: number) => `user${id}@zulip.example`;

function product() {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-'));
  const database = new Database(join(folder, 'engawa.db'), { migrations });
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  const told: DirectoryChange[] = [];
  const isBound = (streamId: number) => departments.boundTo(database.reader, streamId) !== undefined;
  const chat = {
    async directoryAs(actor: Actor | Asker) {
      if (typeof actor !== 'object') throw refused.managedInChatServer();
      const connection = connect({ realm: zulip.url, headers: { authorization: actor.authorization } });
      return zulipDirectory({ connection, isBound, publish: (_, changed) => told.push(changed) });
    },
  };
  const logged: unknown[] = [];
  const started = () =>
    createOrganisation({
      database,
      chat,
      endSessions: () => Promise.resolve(),
      log: ({ event }) => void logged.push(event),
      retryDelay: 1e9,
    });
  const organisation = started();
  const importer = createImporter({ database, chat, organisation, authMode: 'password' });
  const imported = (csv: string, apply = true, by = owner) =>
    importFile(importer, new TextEncoder().encode(csv), { by, apply, encoding: 'utf-8' });
  return { database, organisation, started, imported, told, logged };
}

const changes = () => zulip.received.filter(({ call }) => /^(POST|PATCH|DELETE) \/(streams|users\/me\/subscriptions)/.test(call));
async function streamNamed(name: string) {
  const { streams } = await getStreams(ofOwner, { include_all_active: true });
  return streams.find((stream) => stream.name === name);
}

async function streamsOf({ authorization }: { readonly authorization: string }): Promise<string[]> {
  const { subscriptions } = await getSubscriptions(connect({ realm: zulip.url, headers: { authorization } }), {});
  return subscriptions.map(({ name }) => name);
}

it('[R7.8] The preview of an import changes nothing in the Zulip server and says whom it would subscribe', async () => {
  const { imported } = product();
  const before = changes().length;
  const { preview } = await imported(`メールアドレス,部署\r\n${shown(member.id)},試作部\r\n`, false);
  expect(preview.difference).toMatchObject({
    departments: { made: ['試作部'] },
    joins: [{ stream: '試作部', full_name: '佐藤 美咲' }],
  });
  expect([changes().length, await streamNamed('試作部')]).toEqual([before, undefined]);
});

it('[R7.8] An import creates the streams of departments in the Zulip server and subscribes their people', async () => {
  const { database, imported, told } = product();
  const { done } = await imported(`メールアドレス,部署\r\n${shown(member.id)},検証本部/検証一課\r\n`);
  expect(done?.difference.departments.made).toEqual(['検証本部', '検証一課']);
  const [above, own] = [await streamNamed('検証本部'), await streamNamed('検証一課')];
  expect([above?.invite_only, own?.history_public_to_subscribers]).toEqual([true, true]);
  const bound = departments.all(database.reader).map(({ display_name, stream_id }) => [display_name, stream_id] as const);
  expect(new Map<string, number | null | undefined>(bound)).toEqual(
    new Map([
      ['検証本部', above?.stream_id],
      ['検証一課', own?.stream_id],
    ]),
  );
  expect(await streamsOf(member)).toEqual(expect.arrayContaining(['検証本部', '検証一課']));
  // Only who is in a private stream can add others later.
  expect(await streamsOf(owner)).toContain('検証一課');
  expect(told).toMatchObject([{ people: [{ user_id: member.id, departments: [expect.anything()] }], departments: true }]);
});

it('[R7.8] A department gets the stream of its name that exists in the Zulip server, and two of one name get two streams', async () => {
  await subscribe(ofOwner, { subscriptions: [{ name: '総務室' }], principals: [owner.id] });
  const before = await streamNamed('総務室');
  const { database, organisation } = product();
  const branch = { code: 'branch', displayName: '分社' };
  const rooms = [
    { code: '1', displayName: '総務室' },
    { code: '2', displayName: '総務室', parent: 'branch' },
  ];
  await organisation.apply({ departments: [branch, ...rooms], members: [] }, owner);
  const bound = departments
    .all(database.reader)
    .flatMap(({ display_name, stream_id }) => (display_name === '総務室' ? stream_id : []));
  expect(bound).toContain(before?.stream_id);
  expect(new Set(bound).size).toBe(2);
});

it('[R7.8] Renaming and removing a department rename and archive its stream, and who leaves a department leaves its stream', async () => {
  const { organisation } = product();
  const places = [
    { code: 'new', displayName: '企画室' },
    { code: 'old', displayName: '旧企画室' },
  ];
  await organisation.apply({ departments: places, members: [{ userId: member.id, departments: ['new', 'old'] }] }, owner);
  await organisation.apply({ departments: [{ code: 'new', displayName: '商品企画室' }], members: [] }, owner);
  expect(await streamsOf(member)).toEqual(expect.arrayContaining(['商品企画室', '旧企画室']));
  await organisation.apply({ departments: [], members: [{ userId: member.id, departments: ['new'] }] }, owner);
  expect(await streamsOf(member)).not.toContain('旧企画室');
  await organisation.apply({ departments: [], removedDepartments: ['old'], members: [] }, owner);
  expect([await streamNamed('企画室'), await streamNamed('旧企画室')]).toEqual([undefined, undefined]);
});

it('[R7.8] People are managed in the Zulip server: an import that would create or change them is refused by row and column', async () => {
  const { imported } = product();
  const csv = `氏名,メールアドレス,権限,役職\r\n新人 太郎,new@example.com,,\r\n佐藤 改名,${shown(member.id)},管理者,主任\r\n`;
  const { preview, done } = await imported(csv);
  expect(preview.faults.map(({ row, column, fault }) => [row, column, fault])).toEqual([
    [0, 'メールアドレス', 'person-unknown'],
    [1, '氏名', 'managed-elsewhere'],
    [1, '権限', 'managed-elsewhere'],
  ]);
  expect(done).toBeUndefined();
});

it('[R7.8] A guest is refused by the Zulip server, and no department is created', async () => {
  const { database, organisation } = product();
  const plan = {
    departments: [{ code: '1', displayName: '全社アナウンス' }],
    members: [{ userId: owner.id, departments: ['1'] }],
  };
  await expect(organisation.apply(plan, guest)).rejects.toThrow();
  expect(departments.all(database.reader)).toEqual([]);
});

it('[R7.8] A change that the Zulip server did not answer waits over a restart for the key of the next administrator', async () => {
  const { database, organisation, started, logged } = product();
  const plan = { departments: [{ code: '1', displayName: '保守課' }], members: [{ userId: member.id, departments: ['1'] }] };
  const applied = expect(organisation.apply(plan, owner)).rejects.toThrow();
  // By now the plan has read everything that it needs.
  await vi.waitFor(() => expect(pendingChange.get(database.reader)).toBeDefined(), { interval: 1 });
  await zulip.fail({ badGateway: true });
  await applied;
  expect(departments.all(database.reader)).toEqual([]);
  await zulip.fail();
  const restarted = started();
  await restarted.resume();
  expect(logged.at(-1)).toBe('organisation_change_waits');
  await restarted.apply({ departments: [], members: [] }, owner);
  expect(departments.all(database.reader)).toMatchObject([{ display_name: '保守課' }]);
  expect(await streamsOf(member)).toContain('保守課');
});

it('[R7.8] An import that needs a private stream without the administrator names the stream in the preview, and changes nothing', async () => {
  const { database, organisation, imported } = product();
  const ofMember = connect({ realm: zulip.url, headers: { authorization: member.authorization } });
  await subscribe(ofMember, { subscriptions: [{ name: '監査室' }], invite_only: true, history_public_to_subscribers: true });
  const before = changes().length;
  const rows = `${shown(member.id)},新設室\r\n${shown(guest.id)},監査室\r\n`;
  for (const apply of [false, true]) {
    const refusal = { code: 'STREAM_NOT_JOINED', data: { streams: '監査室' } };
    await expect(imported(`メールアドレス,部署\r\n${rows}`, apply)).rejects.toMatchObject(refusal);
  }
  expect([changes().length, await streamNamed('新設室')]).toEqual([before, undefined]);
  const plan = { departments: [{ code: '1', displayName: '監査室' }], members: [] };
  await expect(organisation.apply(plan, owner)).rejects.toMatchObject({ code: 'STREAM_NOT_JOINED' });
  // Nothing waits to be completed, so that other changes can be made.
  expect(pendingChange.get(database.reader)).toBeUndefined();
});
