import { expect, it, vi } from 'vitest';
import type { Session } from '@engawa/protocol/product';
import { createEntrance } from './entrance.ts';
import type { Model } from '../model/view.ts';

const nobody: Session = {
  auth_mode: 'fake',
  member: null,
  signed_out: false,
  default_member: 'tanaka@example.com',
  candidates: [],
  fake_sign_in_exposed: false,
  max_file_size: 1,
  extensions: [],
};
const tanaka: Session = { ...nobody, member: { user_id: 1, email: 'tanaka@example.com', full_name: '田中 翔' } };

/** A server that gives these answers one after the other, and remembers what it was asked. */
function entranceTo(...answers: (() => Response)[]) {
  const asked: string[] = [];
  const onSignedOut = vi.fn<() => void>();
  const startModel = vi.fn<(session: Session) => Model>();
  const entrance = createEntrance({
    fetch: (_address, init) => {
      asked.push(`${init?.method ?? 'GET'} ${typeof init?.body === 'string' ? init.body : ''}`.trim());
      const answer = answers.shift();
      return answer ? Promise.resolve(answer()) : Promise.reject(new TypeError('cut'));
    },
    startModel,
    onSignedOut,
  });
  return { entrance, asked, onSignedOut, startModel };
}
const json = (body: unknown, init?: ResponseInit) => () => Response.json(body, init);

it('[R1.5] signs the first visitor in as the default member', async () => {
  const { entrance, asked, startModel } = entranceTo(json(nobody), json(tanaka));
  await entrance.open();
  expect(asked).toEqual(['GET', 'POST {"email":"tanaka@example.com"}']);
  expect(entrance.place().kind).toBe('inside');
  expect(startModel).toHaveBeenCalledWith(tanaka);
});

it('[R1.5] goes in as the member who is signed in', async () => {
  const { entrance, asked } = entranceTo(json(tanaka));
  await entrance.open();
  expect(asked).toEqual(['GET']);
  expect(entrance.place().kind).toBe('inside');
});

it('[R1.5] shows the members to pick from after signing out, and goes in as the one picked', async () => {
  const { entrance, asked, onSignedOut } = entranceTo(json({ ...nobody, signed_out: true }), json(tanaka));
  await entrance.open();
  expect(entrance.place().kind).toBe('outside');
  expect(onSignedOut).toHaveBeenCalledOnce();
  expect(await entrance.signIn('tanaka@example.com')).toBeUndefined();
  expect(asked).toEqual(['GET', 'POST {"email":"tanaka@example.com"}']);
  expect(entrance.place().kind).toBe('inside');
});

it.each([
  ['a cut connection', [], { kind: 'network' }],
  ['500', [json({}, { status: 500 })], { kind: 'server' }],
  ['429', [json({}, { status: 429, headers: { 'Retry-After': '3' } })], { kind: 'busy', retryAfterSeconds: 3 }],
  [
    '400',
    [json({ result: 'error', msg: 'No.', code: 'BAD_REQUEST' }, { status: 400 })],
    { kind: 'refused', code: 'BAD_REQUEST', message: 'No.' },
  ],
  ['an HTML 404', [() => new Response('<html>', { status: 404 })], { kind: 'malformed' }],
  ['an HTML 200', [() => new Response('<html>')], { kind: 'malformed' }],
])('[R8.4] says why it did not open: %s', async (_case, answers, failure) => {
  const { entrance } = entranceTo(...answers);
  await entrance.open();
  expect(entrance.place()).toEqual({ kind: 'failed', failure });
});

it('[R8.4] stays where it is when signing in fails, and can be tried again', async () => {
  const { entrance } = entranceTo(json({ ...nobody, signed_out: true }));
  await entrance.open();
  expect(await entrance.signIn('tanaka@example.com')).toEqual({ kind: 'network' });
  expect(entrance.place().kind).toBe('outside');
});
