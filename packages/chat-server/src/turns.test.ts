import { setImmediate } from 'node:timers/promises';
import { deactivateUser, getMessages, maxMessageLength, regenerateApiKey, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { ChatError } from './errors.ts';
import * as eg from './testing/eg.ts';
import { stopTaskTime } from './testing/taskTime.ts';
import { type Steps, Turns, jsonParts, longestTurn } from './turns.ts';

const neverAborted = new AbortController().signal;
const [attacker, other] = [1, 2];

/** Longer than the time that tasks may share in one turn of the event loop. */
function blockEventLoop(): void {
  const until = performance.now() + 15;
  while (performance.now() < until);
}

it('The tasks of one member run in the order of the calls, and each call returns the result or the error of its task', async () => {
  const turns = new Turns();
  const done: number[] = [];
  const tasks = [1, 2, 3].map((number) => turns.change(attacker, () => done.push(number)));
  const failing = turns.change(attacker, () => {
    throw new TypeError('unseen');
  });
  await expect(failing).rejects.toThrow('unseen');
  expect(await Promise.all(tasks)).toEqual([1, 2, 3]);
  expect(done).toEqual([1, 2, 3]);
});

it.each([
  { length: 3, otherWork: 0, later: 3 },
  { length: 1000, otherWork: 0, later: 10 },
  { length: 1000, otherWork: 4, later: 3 },
])(
  'After a task as long as $length turns of the event loop, with other work as long as $otherWork in each, the next one runs $later turns later',
  async ({ length, otherWork, later }) => {
    const pass = stopTaskTime();
    const turns = new Turns();
    let done = 0;
    const task = () => {
      pass(length * longestTurn);
      done += 1;
    };
    const tasks = Array.from({ length: 3 }, () => turns.change(attacker, task));
    const between: number[] = [];
    while (done < tasks.length) {
      between.push(done);
      pass(otherWork * longestTurn);
      await setImmediate();
    }
    expect(between).toEqual([...Array<number>(later).fill(1), ...Array<number>(later).fill(2)]);
    await Promise.all(tasks);
  },
);

it('A call of a member waits for only one of the ten calls that another member made before', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const task = () => {
    blockEventLoop();
    order.push('attacker');
  };
  const tasks = Array.from({ length: 10 }, () => turns.change(attacker, task));
  await turns.change(other, () => order.push('other'));
  expect(order.slice(0, 3)).toEqual(['attacker', 'attacker', 'other']);
  await Promise.all(tasks);
});

it('A call of a member runs between two steps of a long task of another member, and the long task ends before later ones of its member', async () => {
  const turns = new Turns();
  const order: string[] = [];
  function* steps(name: string): Steps<string> {
    for (let count = 0; count < 3; count += 1) {
      blockEventLoop();
      order.push(name);
      yield;
    }
    return name;
  }
  const first = turns.steps(attacker, () => steps('first'), neverAborted);
  const second = turns.steps(attacker, () => steps('second'), neverAborted);
  await turns.change(other, () => order.push('other'));
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
  expect(order).toEqual(['first', 'first', 'other', 'first', 'second', 'second', 'second']);
});

it('A task whose signal is aborted before it begins, or between two steps, does not continue', async () => {
  const turns = new Turns();
  const controller = new AbortController();
  const steps: string[] = [];
  const long = turns.steps(
    attacker,
    function* () {
      blockEventLoop();
      steps.push('first step');
      yield;
      steps.push('second step');
    },
    controller.signal,
  );
  const waiting = turns.read(attacker, () => steps.push('waiting'), controller.signal);
  controller.abort();
  await expect(long).rejects.toBe(controller.signal.reason);
  await expect(waiting).rejects.toBe(controller.signal.reason);
  expect(await turns.change(attacker, () => 'later')).toBe('later');
  expect(steps).toEqual(['first step']);
});

it('At most three changes of a member are in progress, and reads that wait neither count nor wait for them', async () => {
  stopTaskTime();
  const turns = new Turns();
  const begun: number[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  for (let count = 0; count < 10; count += 1) void turns.read(attacker, () => promise, neverAborted);
  const calls = Array.from({ length: 6 }, (_, number) =>
    turns.change(attacker, () => {
      begun.push(number);
      return promise;
    }),
  );
  await setImmediate();
  expect(begun).toEqual([0, 1, 2]);
  expect(await turns.read(attacker, () => 'a read', neverAborted)).toBe('a read');
  expect(await turns.change(other, () => 'another member')).toBe('another member');
  resolve();
  await Promise.all(calls);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5]);
});

it('GET /messages of a member is answered while another member still waits for most of their searches in long messages', async () => {
  const server = await eg.server();
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const content = '(*^_^*)'.repeat(maxMessageLength / 7);
  for (let count = 0; count < 30; count += 1) await tanaka.ok(sendMessage, eg.streamMessage(content));
  const narrow = [{ operator: 'search', operand: '*' }];
  const page = { anchor: 'newest', num_before: 20, num_after: 0, apply_markdown: false };
  let answered = 0;
  const searches = Array.from({ length: 12 }, async () => {
    const { messages } = await tanaka.ok(getMessages, { ...page, narrow });
    answered += 1;
    return messages.length;
  });
  await searches[0];
  await sato.ok(getMessages, page);
  expect(answered).toBeLessThan(6);
  expect(new Set(await Promise.all(searches)).size).toBe(1);
});

it.each([
  ['the key of its member ends', 'INVALID_API_KEY', (suzuki: eg.Client) => suzuki.ok(regenerateApiKey, {})],
  [
    'its member is deactivated',
    'USER_DEACTIVATED',
    (_: eg.Client, server: eg.Server) => eg.signIn(server, 'sato').ok(deactivateUser, { user_id: server.user('suzuki') }),
  ],
] as const)('A call that waits for its turn is refused if %s meanwhile', async (_, code, end) => {
  const server = await eg.server();
  const suzuki = eg.signIn(server, 'suzuki');
  const render = () => suzuki.raw({ method: 'POST', path: '/messages/render', form: { content: 'a' } });
  // The last of these waits for its turn too, so the server remembers the member.
  await Promise.all([render(), render(), render(), render()]);
  const ended = end(suzuki, server);
  // With these, three changes are in progress until then.
  const sends = [1, 2, 3].map((number) => suzuki.refused(sendMessage, eg.streamMessage(`${number}`)));
  const waiting = render();
  await Promise.all([ended, ...sends]);
  expect(eg.refusal(await waiting)).toMatchObject({ status: 401, code });
});

it('A call that the embedding program aborts with a refusal is answered with that refusal', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const ended = AbortSignal.abort(new ChatError(401, 'UNAUTHORIZED', 'The session has ended.'));
  const reply = await tanaka.reply(getMessages, { anchor: 'newest', num_before: 1, num_after: 0 }, ended);
  expect(eg.refusal(reply)).toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
});

it('The parts of jsonParts together are what JSON.stringify writes', () => {
  const objects = Array.from({ length: 1001 }, (_, index) => ({ index, name: `縁側 "${index}"` }));
  const value = { a: [], b: undefined, c: {}, d: objects, e: null, f: [[1, [true]], [[]], 'g'] };
  expect([...jsonParts(value)].join('')).toBe(JSON.stringify(value));
});
