import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callLimits, callPaths, joinedCall } from '@engawa/protocol/calls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callersIn, idOf, memberCalling, quiet, second } from '../testing/calls.ts';
import { fromOwnPage, runProduct } from '../testing/product.ts';
import { waitingPoll } from '../testing/waitingPoll.ts';

/** A call of 田中 and 佐藤, whose server was stopped and started again. */
async function restarted() {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-calls-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const before = await runProduct({ RATE_LIMIT: 'none' }, directory);
  const [tanaka, sato] = [memberCalling(before, 'tanaka'), memberCalling(before, 'sato')];
  const { id } = await tanaka.start([await idOf(before, 'sato')]);
  const [first, other] = [await tanaka.join(id), await sato.join(id)];
  await before.app.close();
  const product = await runProduct({ RATE_LIMIT: 'none' }, directory);
  onTestFinished(() => product.app.close());
  return { product, id, first, other, tanaka: memberCalling(product, 'tanaka'), sato: memberCalling(product, 'sato') };
}

describe('restart of the server', () => {
  it('[R2.10] Participants learn that they must join again, and go on with their ids and the same offering side', async () => {
    const { id, first, other, tanaka, sato } = await restarted();
    const refusal = await tanaka.refused('GET', `${callPaths.signals(id)}?participant=${first.participant}&after=0`);
    expect(refusal).toMatchObject({ status: 410, code: 'NOT_IN_CALL' });
    const again = await tanaka.join(id, { participant: first.participant });
    expect([again.participant, again.seq, again.others]).toEqual([first.participant, first.seq, []]);
    const later = await sato.join(id, { participant: other.participant });
    expect([later.participant, later.seq]).toEqual([other.participant, other.seq]);
    expect(later.others).toMatchObject([{ participant: first.participant, seq: first.seq }]);
  });

  it('[R2.10] A call that nobody joins again within 60 seconds ends, as of when it was last known to go on', async () => {
    const { product, id, tanaka } = await restarted();
    expect(await tanaka.list()).toEqual([]);
    // The clock also goes on by itself, so a busy machine needs a margin.
    product.pass((callLimits.restart - 15) * second);
    expect((await tanaka.details(id)).call.state).toBe('ongoing');
    // Also if the server was away so long that the call would have been the longest one.
    product.pass(callLimits.longest * second);
    const { call } = await tanaka.details(id);
    expect(call).toMatchObject({ state: 'ended', reason: 'cut' });
    expect((call.ended ?? 0) - call.started).toBeLessThan(callLimits.restart);
  });

  it('[R6.1] After a restart, nobody can join with the id of another member’s participant', async () => {
    const { product, id, first, sato } = await restarted();
    const { participant } = await sato.join(id, { participant: first.participant });
    expect(participant.startsWith(`${await idOf(product, 'sato')}-`)).toBe(true);
  });
});

it('[R2.10] When the product closes, it answers the waiting polls of calls', async () => {
  const product = await runProduct({ RATE_LIMIT: 'none' });
  const { tanaka, satoId } = await callersIn(product);
  const { id } = await tanaka.start([satoId]);
  const { participant } = await tanaka.join(id);
  const poll = await waitingPoll(() => tanaka.poll(id, participant));
  await product.close();
  expect((await poll.answer).signals).toEqual([]);
  expect(product.log).toEqual([]);
});

it('[R2.10] [R6.1] A member who signs out is removed from their call at once', async () => {
  const product = await runProduct({ RATE_LIMIT: 'none' });
  onTestFinished(() => product.close());
  const { tanaka, sato, satoId } = await callersIn(product);
  const { id } = await tanaka.start([satoId]);
  const { participant: other } = await sato.join(id);
  const headers = { host: 'localhost', cookie: await product.cookieOf('tanaka') };
  const joined = await product.app.inject({
    method: 'POST',
    url: callPaths.join(id),
    headers: { ...headers, ...fromOwnPage },
    payload: { state: quiet },
  });
  const { participant } = joinedCall.parse(joined.json());
  const url = `${callPaths.signals(id)}?participant=${participant}&after=0`;
  const poll = await waitingPoll(() => product.app.inject({ url, headers }));
  await product.app.inject({ method: 'POST', url: '/logout', headers: { ...headers, 'sec-fetch-site': 'same-origin' } });
  expect((await poll.answer).json()).toMatchObject({ signals: [] });
  expect((await product.app.inject({ url, headers })).statusCode).toBe(401);
  product.pass(2 * second);
  const left = { kind: 'left', from: participant, data: { reason: 'removed' } };
  expect((await sato.poll(id, other, 1)).signals).toMatchObject([left]);
});

it('[R2.10] With TURN_URL a participant gets credentials that the TURN server can check, and without it no server is named', async () => {
  const secret = 'shared-with-coturn';
  const urls = ['turn:turn.example.com:3478', 'turns:turn.example.com:5349'];
  const product = await runProduct({ RATE_LIMIT: 'none', TURN_URL: urls.join(), TURN_SECRET: secret });
  onTestFinished(() => product.close());
  const { tanaka, tanakaId, satoId } = await callersIn(product);
  const { id } = await tanaka.start([satoId]);
  const { ice } = await tanaka.join(id);
  const [server] = ice;
  const [ends = '', userId = ''] = server?.username?.split(':') ?? [];
  expect([ice.length, server?.urls, Number(userId)]).toEqual([1, urls, tanakaId]);
  expect(server?.credential).toBe(createHmac('sha1', secret).update(`${ends}:${userId}`).digest('base64'));
  expect(Number(ends) - Date.now() / 1000).toBeGreaterThan(callLimits.turnCredentials - 60);
});

it('[R2.10] With CALLS=off the session says so, and no call of calls exists', async () => {
  const product = await runProduct({ CALLS: 'off' });
  onTestFinished(() => product.close());
  const headers = { host: 'localhost' };
  expect((await product.app.inject({ url: '/api/session', headers })).json()).toMatchObject({ calls: false });
  expect((await product.app.inject({ url: callPaths.calls, headers })).statusCode).toBe(404);
});
