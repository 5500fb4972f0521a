import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

type NewDraft = api.ParametersIn<typeof api.editDraft>['draft'];
const unaddressed: NewDraft = { type: '', to: [], topic: '', content: '書きかけ' };

async function setup() {
  const server = await eg.server();
  const as = (name: string) => eg.signIn(server, name);
  const drafts = async (name: string) => (await as(name).ok(api.getDrafts, {})).drafts;
  const create = async (name: string, ...created: NewDraft[]) => (await as(name).ok(api.createDrafts, { drafts: created })).ids;
  return { server, as, drafts, create };
}

it('A member gets back each draft exactly as written, on GET /drafts and POST /register', async () => {
  const { server, as, drafts, create } = await setup();
  const stream = server.stream(eg.general);
  const toStream: NewDraft = { type: 'stream', to: [stream], topic: '昼食', content: '  字下げ\n\n' };
  const toMember: NewDraft = { type: 'private', to: [server.user('sato')], topic: '', content: '佐藤さん' };
  const ids = await create('suzuki', toStream, toMember, unaddressed);
  const timestamp = Math.floor(server.clock.now() / 1000);
  const expected = [toStream, toMember, unaddressed].map((draft, index) => ({
    id: ids[index],
    ...draft,
    timestamp,
    revision: 0,
  }));
  expect(await as('suzuki').ok(api.getDrafts, {})).toMatchObject({ count: 3, drafts: expected });
  expect((await as('suzuki').ok(api.registerQueue, {})).drafts).toEqual(expected);
  await server.restart();
  expect(await drafts('suzuki')).toEqual(expected);
});

it('GET /drafts lists the draft with the oldest edit first', async () => {
  const { server, as, drafts, create } = await setup();
  const [first = 0, second] = await create('suzuki', unaddressed, unaddressed);
  await server.clock.jump(5);
  await as('suzuki').ok(api.editDraft, { draft_id: first, draft: { ...unaddressed, content: '続き' } });
  expect((await drafts('suzuki')).map(({ id }) => id)).toEqual([second, first]);
});

it('The server stores the time at which a draft was written, but no time in the future', async () => {
  const { server, drafts, create } = await setup();
  const now = Math.floor(server.clock.now() / 1000);
  await create('suzuki', { ...unaddressed, timestamp: now - 60.5 }, { ...unaddressed, timestamp: now + 60 });
  expect((await drafts('suzuki')).map(({ timestamp }) => timestamp)).toEqual([now - 61, now]);
});

it('PATCH and DELETE /drafts refuse another revision, so that no device overwrites what another one wrote', async () => {
  const { as, drafts, create } = await setup();
  const [draft_id = 0] = await create('suzuki', unaddressed);
  const phone = { draft_id, draft: { ...unaddressed, content: '電話から' }, revision: 0 };
  await as('suzuki').ok(api.editDraft, phone);
  const computer = { draft_id, draft: { ...unaddressed, content: '机から' }, revision: 0 };
  expect(await as('suzuki').refused(api.editDraft, computer)).toMatchObject({ code: 'EXPECTATION_MISMATCH' });
  expect(await as('suzuki').refused(api.deleteDraft, { draft_id, revision: 0 })).toMatchObject({ code: 'EXPECTATION_MISMATCH' });
  expect(await drafts('suzuki')).toMatchObject([{ id: draft_id, content: '電話から', revision: 1 }]);
  await as('suzuki').ok(api.deleteDraft, { draft_id, revision: 1 });
  expect(await drafts('suzuki')).toEqual([]);
});

it('An id of a deleted draft is not used again, so that a late edit changes no other draft', async () => {
  const { as, create } = await setup();
  const [draft_id = 0] = await create('suzuki', unaddressed);
  await as('suzuki').ok(api.deleteDraft, { draft_id });
  await create('suzuki', unaddressed);
  const refusal = await as('suzuki').refused(api.editDraft, { draft_id, draft: unaddressed });
  expect(refusal).toMatchObject({ status: 404, code: 'BAD_REQUEST', msg: 'Draft does not exist' });
});

it('No member, not even an owner, reads, changes or deletes a draft of another member, or gets its events', async () => {
  const { as, drafts, create } = await setup();
  const queue = await queueOf(as('tanaka'));
  const [draft_id = 0] = await create('suzuki', unaddressed);
  expect(await drafts('tanaka')).toEqual([]);
  for (const refusal of [
    await as('tanaka').refused(api.editDraft, { draft_id, draft: unaddressed }),
    await as('tanaka').refused(api.deleteDraft, { draft_id }),
  ]) {
    expect(refusal).toMatchObject({ status: 404, msg: 'Draft does not exist' });
  }
  expect(await queue.take()).toEqual([]);
  expect(await drafts('suzuki')).toHaveLength(1);
});

it.each<[string, Partial<NewDraft>, string]>([
  ['a blank text', { content: ' \n' }, 'Message must not be empty'],
  ['a null byte', { content: 'a\0b' }, 'Message must not contain null bytes'],
  [
    'a text that is too long to send',
    { content: '字'.repeat(api.maxMessageLength + 1) },
    'Message is too long (limit: 10000 characters)',
  ],
  ['no stream', { type: 'stream', to: [] }, 'Must specify exactly 1 stream ID for stream messages'],
  ['two streams', { type: 'stream', to: [1, 2] }, 'Must specify exactly 1 stream ID for stream messages'],
  ['an unknown stream', { type: 'stream', to: [999] }, 'Invalid stream ID'],
  ['an unknown member', { type: 'private', to: [999] }, 'Invalid user ID 999'],
  ['a null byte in the topic', { type: 'stream', to: [1], topic: 'a\0b' }, 'Topic must not contain null bytes'],
])('POST /drafts refuses a draft with %s and stores nothing', async (_, change, msg) => {
  const { as, drafts } = await setup();
  const refusal = await as('tanaka').refused(api.createDrafts, { drafts: [unaddressed, { ...unaddressed, ...change }] });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  expect(await drafts('tanaka')).toEqual([]);
});

it('POST /drafts refuses a draft with an unknown key', async () => {
  const { as } = await setup();
  const written = JSON.stringify([{ ...unaddressed, id: 5 }]);
  const { status } = await as('tanaka').raw({ method: 'POST', path: '/drafts', form: { drafts: written } });
  expect(status).toBe(400);
});

it('A member has at most 1000 drafts and 1 MiB of text in them, and an edit counts too', async () => {
  const { as, drafts, create } = await setup();
  const long = { ...unaddressed, content: '字'.repeat(api.maxMessageLength) };
  const full = Math.floor(api.maxDraftBytes / (3 * api.maxMessageLength));
  const [draft_id = 0] = await create('suzuki', unaddressed);
  for (let count = 0; count < full; count += 1) await create('suzuki', long);
  const msg = `The drafts are too long together (limit: ${api.maxDraftBytes} bytes).`;
  expect(await as('suzuki').refused(api.createDrafts, { drafts: [long] })).toMatchObject({ msg });
  expect(await as('suzuki').refused(api.editDraft, { draft_id, draft: long })).toMatchObject({ msg });
  expect(await drafts('suzuki')).toHaveLength(full + 1);

  await create('sato', ...Array.from({ length: api.maxDrafts }, () => unaddressed));
  const refusal = await as('sato').refused(api.createDrafts, { drafts: [unaddressed] });
  expect(refusal).toMatchObject({ msg: 'Too many drafts (limit: 1000).' });
});

it('Without enable_drafts_synchronization the server deletes the member’s drafts and refuses new ones', async () => {
  const { as, create } = await setup();
  const [draft_id = 0] = await create('suzuki', unaddressed);
  await as('suzuki').ok(api.updateSettings, { enable_drafts_synchronization: false });
  for (const refusal of [
    await as('suzuki').refused(api.getDrafts, {}),
    await as('suzuki').refused(api.createDrafts, { drafts: [unaddressed] }),
    await as('suzuki').refused(api.editDraft, { draft_id, draft: unaddressed }),
    await as('suzuki').refused(api.deleteDraft, { draft_id }),
  ]) {
    expect(refusal).toMatchObject({ status: 400, msg: 'User has disabled synchronizing drafts.' });
  }
  expect((await as('suzuki').ok(api.registerQueue, {})).drafts).toEqual([]);
  await as('suzuki').ok(api.updateSettings, { enable_drafts_synchronization: true });
  expect(await as('suzuki').ok(api.getDrafts, {})).toMatchObject({ count: 0 });
});

it('A member’s queue gets only the newest content of a draft that was edited several times', async () => {
  const { as, create } = await setup();
  const [draft_id = 0] = await create('suzuki', unaddressed);
  const queue = await queueOf(as('suzuki'));
  for (const content of ['書き', '書きかけの', '書きかけの文']) {
    await as('suzuki').ok(api.editDraft, { draft_id, draft: { ...unaddressed, content } });
  }
  const draft = { id: draft_id, content: '書きかけの文', revision: 3 };
  expect(await queue.take()).toMatchObject([{ type: 'drafts', op: 'update', draft }]);
});
