import { updateRealm, updateSettings } from '@engawa/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { ai, general, ken, mai } from '../../../test/organisation.ts';
import { begin } from '../../../test/exampleState.ts';
import { unreadAfter } from './changes.ts';
import { showsReaders } from './state.ts';
import { started, stopAll, type Example, type ExampleOptions } from '../../../test/example.ts';
import { selectTimeline, selectMessage } from '../outbox/selectors.ts';
import { selectReadCount, selectReceiptsShown } from './state.ts';
import { selectSendsReceipts } from '../people/selectors.ts';

afterEach(stopAll);

const asked = ({ server }: Example, call = 'GET /read_receipts') => server.called(call);

const realmEvent = (data: Readonly<Record<string, unknown>>) =>
  ({ id: 1, type: 'realm', op: 'update_dict', property: 'default', data }) as const;

/** No further call is made without an action. */
async function expectRest({ clock }: Example): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.waits()).not.toContain(1000);
  expect(clock.waits()).not.toContain(4000);
}

/** With the member's own messages in the open stream. */
async function withOwn(options: ExampleOptions = { capabilities: ['read_receipts'] }) {
  const example = await started(options);
  const own = await example.server.sendEach(ai, general.stream_id, ['一つ目', '二つ目']);
  await vi.waitFor(() => expect(selectTimeline(example.model.state(), general.stream_id)?.keys).toHaveLength(3));
  return { ...example, own };
}

describe('The readers of the member’s own messages', () => {
  it('The readers of all messages on the screen are requested in one call, and again after five seconds', async () => {
    const example = await withOwn();
    const { server, model, clock, own } = example;
    const [first = 0, second = 0] = own;
    await server.mark(ken, [first], true);
    model.watchReaders(own);
    await vi.waitFor(() => expect(selectReadCount(model.state(), first)).toBe(1));
    expect(selectReadCount(model.state(), second)).toBe(0);
    expect(asked(example).map(({ parameters }) => parameters)).toEqual([{ messages: JSON.stringify(own) }]);
    await server.mark(ken, [second], true);
    await clock.pass(1000);
    await clock.pass(4000);
    await vi.waitFor(() => expect(selectReadCount(model.state(), second)).toBe(1));
    expect(asked(example)).toHaveLength(2);
  });

  it('While no message is on the screen, readers are not requested, and no timer runs', async () => {
    const example = await withOwn();
    const { model, clock, own } = example;
    model.watchReaders(own);
    await vi.waitFor(() => expect(asked(example)).toHaveLength(1));
    model.watchReaders([]);
    await clock.pass(1000);
    await expectRest(example);
    expect(asked(example)).toHaveLength(1);
  });

  it('When new messages come onto the screen, their readers are requested one second later', async () => {
    const example = await withOwn();
    const { model, clock, own } = example;
    model.watchReaders(own.slice(0, 1));
    await vi.waitFor(() => expect(asked(example)).toHaveLength(1));
    model.watchReaders(own);
    await clock.until(1000);
    expect(asked(example)).toHaveLength(1);
    await clock.pass(1000);
    await vi.waitFor(() => expect(asked(example)).toHaveLength(2));
  });

  it('A changed number of readers notifies only the row that shows it', async () => {
    const { server, model, own } = await withOwn();
    const [first = 0, second = 0] = own;
    const heard: string[] = [];
    model.watch(
      (state) => selectMessage(state, first),
      () => heard.push('message'),
    );
    model.watch(
      (state) => selectTimeline(state, general.stream_id),
      () => heard.push('timeline'),
    );
    model.watch(
      (state) => selectReadCount(state, first),
      () => heard.push('first'),
    );
    await server.mark(ken, [second], true);
    model.watchReaders([second]);
    await vi.waitFor(() => expect(selectReadCount(model.state(), second)).toBe(1));
    expect(heard).toEqual([]);
  });

  it('[R2.25.2] While the member sends no read receipts, readers are neither shown nor requested, and both return with the receipts', async () => {
    const example = await withOwn();
    const { server, model, clock, own } = example;
    const [first = 0] = own;
    await server.mark(ken, [first], true);
    model.watchReaders(own);
    await vi.waitFor(() => expect(selectReadCount(model.state(), first)).toBe(1));
    expect(await model.changeSettings({ send_read_receipts: false })).toBeUndefined();
    expect([selectSendsReceipts(model.state()), selectReadCount(model.state(), first)]).toEqual([false, undefined]);
    await clock.pass(1000);
    await expectRest(example);
    expect(asked(example)).toHaveLength(1);
    server.fail('GET /read_receipts', 'hold');
    await model.changeSettings({ send_read_receipts: true });
    server.release();
    await vi.waitFor(() => expect(selectReadCount(model.state(), first)).toBe(1));
  });

  it('While the organisation shows no read receipts, readers are neither shown nor requested, and both return with the receipts', async () => {
    const example = await withOwn();
    const { server, model, clock, own } = example;
    const [first = 0] = own;
    await server.mark(ken, [first], true);
    model.watchReaders(own);
    await vi.waitFor(() => expect(selectReadCount(model.state(), first)).toBe(1));
    await updateRealm(server.as(ai), { enable_read_receipts: false, read_receipts: 'none' });
    await vi.waitFor(() =>
      expect([selectReceiptsShown(model.state()), selectReadCount(model.state(), first)]).toEqual(['none', undefined]),
    );
    await clock.pass(1000);
    model.watchReaders(own.slice(1));
    await expectRest(example);
    expect(asked(example)).toHaveLength(1);
    await updateRealm(server.as(ai), { enable_read_receipts: true, read_receipts: 'all' });
    model.watchReaders(own);
    await vi.waitFor(() => expect(selectReadCount(model.state(), first)).toBe(1));
    expect(selectReceiptsShown(model.state())).toBe('all');
  });

  it.each([
    ['the organisation shows no read receipts', { realm: 'none' }],
    ['the member sends no read receipts', { sends: false }],
  ] as const)('If %s when the page opens, no call asks for readers', async (_, off) => {
    const before = await withOwn();
    const { server, own } = before;
    await before.model.stop();
    if ('realm' in off) await updateRealm(server.as(ai), { enable_read_receipts: false, read_receipts: off.realm });
    else await updateSettings(server.as(ai), { send_read_receipts: off.sends });
    const opened = await started({ server, capabilities: ['read_receipts'] });
    opened.model.watchReaders(own);
    await expectRest(opened);
    expect(asked(before)).toEqual([]);
  });

  it('If a server has only read receipts on and off, off means none and on means those of the member’s own messages', () => {
    const off = unreadAfter(begin(), realmEvent({ enable_read_receipts: false }));
    expect(selectReceiptsShown(off)).toBe('none');
    expect(selectReceiptsShown(unreadAfter(off, realmEvent({ name: '縁側' })))).toBe('none');
    expect(selectReceiptsShown(unreadAfter(off, realmEvent({ enable_read_receipts: true })))).toBe('own');
  });

  it('An administrator’s choice of read receipts is shown at once, and reverted if the server refuses it', async () => {
    const { server, model } = await withOwn();
    server.fail('PATCH /realm', 'hold');
    const told = model.showReceipts('all');
    await vi.waitFor(() => expect(selectReceiptsShown(model.state())).toBe('all'));
    await vi.waitFor(() => expect(server.called('PATCH /realm')).toHaveLength(1));
    server.release();
    expect(await told).toBeUndefined();
    expect(server.called('PATCH /realm').map(({ parameters }) => parameters)).toEqual([
      { enable_read_receipts: 'true', read_receipts: 'all' },
    ]);
    server.fail('PATCH /realm', 'cut');
    expect(await model.showReceipts('none')).toEqual({ kind: 'network' });
    expect(selectReceiptsShown(model.state())).toBe('all');
  });

  it('After several choices of read receipts, the administrator’s last choice stays, even if an earlier one failed', async () => {
    const { server, model } = await withOwn();
    server.fail('PATCH /realm', 'hold', 'cut');
    const told = [model.showReceipts('all'), model.showReceipts('none')];
    await vi.waitFor(() => expect(server.called('PATCH /realm')).toHaveLength(1));
    server.release();
    expect(await Promise.all(told)).toEqual([undefined, { kind: 'network' }]);
    expect(selectReceiptsShown(model.state())).toBe('all');
    server.fail('PATCH /realm', 'cut');
    expect(await Promise.all([model.showReceipts('own'), model.showReceipts('none')])).toEqual([{ kind: 'network' }, undefined]);
    await vi.waitFor(() => expect(selectReceiptsShown(model.state())).toBe('none'));
  });

  it.each([
    ['left', 'own', false],
    ['right', 'own', true],
    ['left', 'all', true],
    ['right', 'none', false],
  ] as const)(
    'A member sees the readers of a message on the %s (own ones are right) if the organisation shows %s: %s',
    (align, shown, sees) => {
      expect(showsReaders({ align, deleted: false }, shown)).toBe(sees);
      expect(showsReaders({ align, deleted: true }, shown)).toBe(false);
    },
  );

  it('After a network failure, readers are requested again', async () => {
    const example = await withOwn();
    const { server, model, clock, own } = example;
    const [first = 0] = own;
    await server.mark(ken, [first], true);
    server.fail('GET /read_receipts', 'cut');
    model.watchReaders(own);
    await vi.waitFor(() => expect(asked(example)).toHaveLength(1));
    await clock.pass(1000);
    await clock.pass(4000);
    await vi.waitFor(() => expect(selectReadCount(model.state(), first)).toBe(1));
  });

  it('During a rate limit, readers are not requested, even if new messages come onto the screen', async () => {
    const example = await withOwn();
    const { server, model, clock, own } = example;
    const [first = 0] = own;
    await server.mark(ken, [first], true);
    const limit = { result: 'error', code: 'RATE_LIMIT_HIT', msg: 'API usage exceeded rate limit', 'retry-after': 30 };
    server.fail('GET /read_receipts', Response.json(limit, { status: 429 }));
    model.watchReaders(own.slice(1));
    await clock.until(30_000);
    model.watchReaders(own);
    await expectRest(example);
    expect(asked(example)).toHaveLength(1);
    await clock.pass(30_000);
    await clock.pass(1000);
    await vi.waitFor(() => expect(selectReadCount(model.state(), first)).toBe(1));
  });

  it('If the server has no call for the readers of several messages, each message is requested on its own', async () => {
    const { server, model, own } = await withOwn({ capabilities: [] });
    const [first = 0] = own;
    await server.mark(ken, [first], true);
    model.watchReaders(own);
    await vi.waitFor(() => expect(selectReadCount(model.state(), first)).toBe(1));
    expect(server.called('GET /read_receipts')).toEqual([]);
    expect(await model.readersOf(first)).toEqual({ read: [ken.user_id], unread: [mai.user_id], withheld: [] });
  });

  it('If a server without a call for several messages refuses one message, the readers of the other messages are still requested', async () => {
    const example = await withOwn({ capabilities: [] });
    const { server, model, clock, own } = example;
    const [first = 0, second = 0] = own;
    await server.mark(ken, [second], true);
    server.fail(`GET /messages/${first}/read_receipts`, errorAnswer(400, 'BAD_REQUEST', 'Invalid message(s)'));
    model.watchReaders(own);
    await vi.waitFor(() => expect(selectReadCount(model.state(), second)).toBe(1));
    expect(selectReadCount(model.state(), first)).toBe(0);
    await server.mark(ken, [first], true);
    await clock.pass(1000);
    await clock.pass(59_000);
    await vi.waitFor(() => expect(selectReadCount(model.state(), first)).toBe(1));
  });

  it.each([
    ['that the call is unknown', errorAnswer(404, 'BAD_REQUEST', 'There is no such call')],
    ['with an HTML page', new Response('<h1>Not Found</h1>', { status: 404 })],
  ])('Readers are not requested again after the server has answered %s', async (_, answer) => {
    const example = await withOwn({ capabilities: [] });
    const { server, model, clock, own } = example;
    const call = `GET /messages/${own[0] ?? 0}/read_receipts`;
    server.fail(call, answer);
    model.watchReaders(own);
    await vi.waitFor(() => expect(asked(example, call)).toHaveLength(1));
    await clock.pass(1000);
    model.watchReaders(own.slice(1));
    await expectRest(example);
    expect(clock.waits()).not.toContain(59_000);
    expect(asked(example, `GET /messages/${own[1] ?? 0}/read_receipts`)).toEqual([]);
  });

  it('readersOf returns the failure if the server does not answer', async () => {
    const { server, model, own } = await withOwn();
    const [first = 0] = own;
    server.fail(`GET /messages/${first}/read_receipts`, 'cut');
    expect(await model.readersOf(first)).toEqual({ kind: 'network' });
  });
});
