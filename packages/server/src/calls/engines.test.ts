import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callLimits, callList, callPaths } from '@engawa/protocol/calls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStream, idOf, memberCalling, quiet } from '../testing/calls.ts';
import { type RunningProduct, runProduct } from '../testing/product.ts';
import { runLivekitServer } from '../testing/livekitServer.ts';
import { freeUdpPort } from '../testing/ports.ts';

const { participants: limits } = callLimits;
const members = ['tanaka', 'sato', 'suzuki', 'kato', 'ito', 'yamamoto', 'shimizu', 'yamaguchi', 'kondo'];
const many = [...members, 'inoue', 'matsumoto', 'yoshida', 'nakamura', 'kobayashi', 'watanabe', 'takahashi', 'mori'];

async function forwardingProduct(environment: Readonly<Record<string, string>> = {}): Promise<RunningProduct> {
  const product = await runProduct({
    RATE_LIMIT: 'none',
    LOG_LEVEL: 'info',
    CALLS_UDP_PORT: String(await freeUdpPort()),
    ...environment,
  });
  onTestFinished(() => product.close());
  await expect.poll(() => processesOf(product)).toHaveLength(1);
  return product;
}

/** The processes of the forwarding unit, the latest one last. */
const processesOf = ({ log }: RunningProduct) =>
  log.flatMap(({ event, pid }) => (event === 'sfu_ready' && typeof pid === 'number' ? [pid] : []));

async function crashThreeTimes(product: RunningProduct): Promise<void> {
  // The first process was the probe of the start.
  for (let started = 2; started <= 4; started += 1) {
    await expect.poll(() => processesOf(product)).toHaveLength(started);
    process.kill(processesOf(product).at(-1) ?? 0, 'SIGKILL');
  }
  await expect.poll(() => product.log.filter(({ event }) => event === 'sfu_crashed')).toHaveLength(3);
}

describe('The engine of a call', () => {
  it('[R2.10] is the forwarding unit in conversations of more than eight members, and else the mesh', async () => {
    const product = await forwardingProduct();
    const [tanaka, sato] = [memberCalling(product, 'tanaka'), memberCalling(product, 'sato')];
    const large = await tanaka.start((await createStream(product, members)).id);
    expect(await tanaka.join(large.id)).toMatchObject({ engine: 'sfu' });
    const small = await sato.start((await createStream(product, members.slice(1))).id);
    expect(await sato.join(small.id)).toMatchObject({ engine: 'mesh' });
  });

  it('[R2.10] is the smallest one with room for all members: the mesh, the forwarding unit, or LiveKit', async () => {
    const { environment } = await runLivekitServer();
    const product = await forwardingProduct(environment);
    const tanaka = memberCalling(product, 'tanaka');
    const { engines } = callList.parse(await tanaka.ok('GET', '/api/calls'));
    expect(engines.map(({ engine, participants }) => [engine, participants])).toEqual(Object.entries(limits));
    for (const [size, engine] of [
      [8, 'mesh'],
      [16, 'sfu'],
      [17, 'livekit'],
    ] as const) {
      const { id } = await tanaka.start((await createStream(product, many.slice(0, size))).id);
      expect(await tanaka.join(id, { move: true })).toMatchObject({ engine, call: { limits: { participants: limits[engine] } } });
    }
  });

  it('[R2.10] is LiveKit for all calls when none may go between browsers and the server has no port for them', async () => {
    const { environment } = await runLivekitServer();
    const product = await runProduct({ RATE_LIMIT: 'none', CALLS_THROUGH_SERVER: 'yes', ...environment });
    onTestFinished(() => product.close());
    const tanaka = memberCalling(product, 'tanaka');
    expect(await tanaka.ok('GET', '/api/calls')).toMatchObject({ engines: [{ engine: 'livekit', participants: 50 }] });
    const { id } = await tanaka.start([await idOf(product, 'sato')]);
    expect(await tanaka.join(id)).toMatchObject({ engine: 'livekit' });
  });

  it('[R2.10] offers each participant a connection, and names the participant of each slot', async () => {
    const product = await forwardingProduct({ CALLS_THROUGH_SERVER: 'yes' });
    const [tanaka, sato] = [memberCalling(product, 'tanaka'), memberCalling(product, 'sato')];
    const { id } = await tanaka.start([await idOf(product, 'sato')]);
    const { participant, engine } = await tanaka.join(id);
    expect(engine).toBe('sfu');
    const { participant: other } = await sato.join(id);
    await expect
      .poll(async () => (await sato.poll(id, other)).signals)
      .toMatchObject([
        { kind: 'sfu_slots', from: 'sfu', data: { slots: [participant, other] } },
        { kind: 'sfu_offer', from: 'sfu', data: { slot: 1 } },
      ]);
  });

  it('[R2.10] gives the slot of a member’s device in a full call to the device that takes over', async () => {
    const product = await forwardingProduct();
    const all = many.slice(0, limits.sfu);
    const tanaka = memberCalling(product, 'tanaka');
    const { id } = await tanaka.start((await createStream(product, all)).id);
    for (const name of all) await memberCalling(product, name).join(id);
    const { participant } = await tanaka.join(id, { move: true });
    const { signals } = await tanaka.poll(id, participant);
    expect(signals.find(({ kind }) => kind === 'sfu_slots')).toMatchObject({
      data: { slots: expect.arrayContaining([participant]) },
    });
  });

  it('[R2.10] becomes the mesh after three crashes, and the participants are told to join again', async () => {
    const product = await forwardingProduct({ CALLS_THROUGH_SERVER: 'yes' });
    const tanaka = memberCalling(product, 'tanaka');
    const { id } = await tanaka.start([await idOf(product, 'sato')]);
    const { participant } = await tanaka.join(id);
    await crashThreeTimes(product);
    const poll = () => tanaka.refused('GET', `/api/calls/${id}/signals?participant=${participant}&after=0`);
    expect(await poll()).toMatchObject({ status: 410, code: 'NOT_IN_CALL' });
    expect(await tanaka.join(id, { participant })).toMatchObject({ participant, engine: 'mesh' });
  });

  it('[R2.10] lets all nine participants of a call go on in the mesh when the forwarding unit fails, but no tenth one', async () => {
    const product = await forwardingProduct();
    const tanaka = memberCalling(product, 'tanaka');
    const { id } = await tanaka.start((await createStream(product, many.slice(0, 10))).id);
    const joined = new Map<string, string>();
    for (const name of members) joined.set(name, (await memberCalling(product, name).join(id)).participant);
    await crashThreeTimes(product);
    for (const [name, participant] of joined) {
      expect(await memberCalling(product, name).join(id, { participant })).toMatchObject({ participant, engine: 'mesh' });
    }
    const tenth = memberCalling(product, many[9] ?? '');
    expect(await tenth.refused('POST', callPaths.join(id), { state: quiet })).toMatchObject({ code: 'CALL_FULL' });
  });

  it('[R2.10] is the forwarding unit again after a restart, also for a participant who joins at once', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'engawa-engines-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const environment = { RATE_LIMIT: 'none', CALLS_UDP_PORT: String(await freeUdpPort()) };
    const before = await runProduct(environment, directory);
    const { id } = await memberCalling(before, 'tanaka').start((await createStream(before, members)).id);
    const { participant } = await memberCalling(before, 'tanaka').join(id);
    await before.app.close();
    const product = await runProduct(environment, directory);
    onTestFinished(() => product.app.close());
    expect(await memberCalling(product, 'tanaka').join(id, { participant })).toMatchObject({ participant, engine: 'sfu' });
  });

  it('[R2.10] has its own limit of calls, which those of other engines do not use up', async () => {
    const product = await forwardingProduct();
    const pairs = members.slice(0, 7).flatMap((one, index) => members.slice(index + 1, 7).map((other) => [one, other] as const));
    for (const [one, other] of pairs) await memberCalling(product, one).start([await idOf(product, other)], { ring: false });
    expect(pairs.length).toBeGreaterThan(callLimits.calls.sfu);
    const tanaka = memberCalling(product, 'tanaka');
    const { id } = await tanaka.start((await createStream(product, members)).id);
    expect(await tanaka.join(id)).toMatchObject({ engine: 'sfu' });
  });
});
