import { afterEach, expect, it, vi } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { general, lunch } from '../../../test/organisation.ts';
import { started, stopAll } from '../../../test/example.ts';
import { selectConnection } from './state.ts';
import { selectHoldsUnstored, selectUnsent } from '../outbox/selectors.ts';

afterEach(stopAll);

const post = 'POST /messages';
const logout = 'POST /logout';

/** A member with a refused message and two that are being sent. */
async function withThree() {
  const { model, server } = await started();
  server.fail(post, errorAnswer(400, 'BAD_REQUEST', 'no'), 'hold', 'hold');
  for (const text of ['一', '二']) model.send(general.stream_id, { text, file: undefined });
  await vi.waitFor(() => expect(server.called(post)).toHaveLength(2));
  model.send(lunch.stream_id, { text: '三', file: undefined });
  await vi.waitFor(() => expect(server.called(post)).toHaveLength(3));
  return { model, server };
}

it('[R4.8.2] selectUnsent counts messages that wait, are being sent or were refused, but not delivered ones', async () => {
  const { model, server } = await started();
  expect(selectUnsent(model.state())).toBe(0);
  server.fail(post, 'hold');
  const heard: number[] = [];
  model.watch(selectUnsent, () => heard.push(selectUnsent(model.state())));
  for (const text of ['一', '二']) model.send(general.stream_id, { text, file: undefined });
  await vi.waitFor(() => expect(server.called(post)).toHaveLength(1));
  expect(selectUnsent(model.state())).toBe(2);
  server.release();
  await vi.waitFor(() => expect(heard).toEqual([1, 2, 1, 0]));
  expect(selectUnsent((await withThree()).model.state())).toBe(3);
});

it.each([
  ['cannot be reached', 'cut', { kind: 'network' }],
  ['takes the call and whose answer is lost', 'lost', { kind: 'network' }],
  ['breaks', new Response('Bad gateway', { status: 502 }), { kind: 'server' }],
  ['cannot store it', errorAnswer(503, 'STORAGE_FULL', 'full'), { kind: 'storage' }],
  ['is a different program', new Response('Welcome to the hotel'), { kind: 'malformed' }],
] as const)(
  '[R2.1] [R8.4] Signing out fails and keeps the session and the unsent messages if the server %s',
  async (_, fault, failure) => {
    const { model, server } = await withThree();
    server.fail(logout, fault);
    expect(await model.account((own) => own.signOut())).toEqual(failure);
    expect(selectConnection(model.state())).toBe('online');
    expect(selectUnsent(model.state())).toBe(3);
  },
);

// With `redirect: 'manual'` the browser hides the status of a redirect.
it.each([303, 0])(
  '[R2.1] [R4.8.2] Signing out discards the member’s unsent messages once the server has answered %s',
  async (status) => {
    const { model, server } = await withThree();
    const answer = new Response(null, { status: 303, headers: { location: '/' } });
    Object.defineProperty(answer, 'status', { value: status });
    server.fail(logout, answer);
    expect(await model.account((own) => own.signOut())).toBeUndefined();
    expect(server.called(logout)).toHaveLength(1);
    expect(selectUnsent(model.state())).toBe(0);
    expect(selectHoldsUnstored(model.state())).toBe(false);
  },
);
