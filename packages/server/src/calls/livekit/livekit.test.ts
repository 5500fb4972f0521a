import { unsubscribe } from '@engawa/protocol';
import { callLimits } from '@engawa/protocol/calls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStream, idOf, memberCalling, quiet, second } from '../../testing/calls.ts';
import { runLivekitServer } from '../../testing/livekitServer.ts';
import { runProduct } from '../../testing/product.ts';

/** A call of 田中 and 佐藤 whose media goes through LiveKit, to which both are connected. */
async function callThroughLivekit(environment: Readonly<Record<string, string>> = {}) {
  const livekit = await runLivekitServer();
  const product = await runProduct({
    RATE_LIMIT: 'none',
    LOG_LEVEL: 'info',
    CALLS_THROUGH_SERVER: 'yes',
    ...livekit.environment,
    ...environment,
  });
  onTestFinished(() => product.close());
  const [tanaka, sato] = [memberCalling(product, 'tanaka'), memberCalling(product, 'sato')];
  const stream = await createStream(product, ['tanaka', 'sato']);
  const { id } = await tanaka.start(stream.id);
  const [first, other] = [await tanaka.join(id), await sato.join(id)];
  const room = `engawa-${id}`;
  livekit.rooms.set(room, new Set([first.participant, other.participant]));
  return { livekit, product, tanaka, sato, stream, id, first, other, room };
}

const present = ({ livekit, room }: Awaited<ReturnType<typeof callThroughLivekit>>) => [...(livekit.rooms.get(room) ?? [])];

describe('The answer to a join of a call through LiveKit', () => {
  it('[R2.10] has the address of LiveKit, and a token that lets this participant into the room of this call for ten minutes', async () => {
    const { livekit, id, first } = await callThroughLivekit({ TURN_URL: 'turn:turn.example.com', TURN_SECRET: 'turn-secret' });
    expect(first).toMatchObject({
      engine: 'livekit',
      call: { limits: { participants: 50, cameras: 50 } },
      ice: [{ urls: ['turn:turn.example.com'] }],
      livekit: { url: livekit.environment.LIVEKIT_URL },
    });
    const claims = livekit.open(first.livekit?.token ?? '');
    const { nbf = 0 } = claims ?? {};
    expect(Math.abs(nbf - Date.now() / 1000)).toBeLessThan(60);
    expect(claims).toEqual({
      nbf,
      exp: nbf + 600,
      iss: 'APIengawa',
      sub: first.participant,
      name: '田中 翔',
      video: {
        room: `engawa-${id}`,
        roomJoin: true,
        canPublish: true,
        canPublishSources: ['microphone', 'camera', 'screen_share'],
        canPublishData: false,
        canSubscribe: true,
      },
    });
  });

  it('[R2.10] has a new token when a participant joins again, and nothing changes for the others', async () => {
    const { livekit, tanaka, sato, id, first, other } = await callThroughLivekit();
    const again = await tanaka.join(id, { participant: first.participant });
    expect(livekit.open(again.livekit?.token ?? '')?.sub).toBe(first.participant);
    await tanaka.send(id, first.participant, [{ kind: 'state', data: { ...quiet, camera: true } }]);
    expect((await sato.poll(id, other.participant)).signals).toMatchObject([{ kind: 'state' }]);
    expect(livekit.asked).toEqual([]);
  });

  it('[R2.10] Neither the log nor the list of calls nor a signal has a token', async () => {
    const { product, tanaka, sato, id, first, other } = await callThroughLivekit();
    const said = JSON.stringify([product.log, await tanaka.ok('GET', '/api/calls'), await tanaka.poll(id, first.participant)]);
    expect(said).toContain(other.participant);
    expect(said).not.toContain('eyJ');
    await sato.leave(id, other.participant);
  });
});

describe('The room of a call', () => {
  it('[R2.10] loses a participant who leaves, and is deleted when the call ends', async () => {
    const world = await callThroughLivekit();
    const { livekit, tanaka, sato, id, first, other, room } = world;
    await sato.leave(id, other.participant);
    await expect.poll(() => present(world)).toEqual([first.participant]);
    await tanaka.leave(id, first.participant);
    await expect.poll(() => [...livekit.rooms]).toEqual([]);
    expect(livekit.asked).toContain(`DeleteRoom ${room}`);
  });

  it('[R2.10] loses a member who was removed from the stream', async () => {
    const world = await callThroughLivekit();
    const { product, sato, stream, id, first, other } = world;
    const principals = [await idOf(product, 'sato')];
    await product.call('tanaka', unsubscribe, { subscriptions: [stream.name], principals });
    expect(await sato.refused('GET', `/api/calls/${id}/signals?participant=${other.participant}&after=0`)).toMatchObject({
      status: 404,
    });
    await expect.poll(() => present(world)).toEqual([first.participant]);
  });

  it('[R2.10] loses a participant whose lease has ended, as after signing out', async () => {
    const world = await callThroughLivekit();
    const { product, tanaka, id, first } = world;
    product.pass((callLimits.lease - 10) * second);
    await tanaka.join(id, { participant: first.participant });
    product.pass(15 * second);
    await expect.poll(() => present(world)).toEqual([first.participant]);
  });

  it('[R2.10] A stranger who enters the room with an old token is removed; after a restart, participants have a minute to join again', async () => {
    const world = await callThroughLivekit();
    const { livekit, product, tanaka, sato, id, first, other, room } = world;
    const passJoining = async (seconds: number) => {
      product.pass(seconds * second);
      await tanaka.join(id, { participant: first.participant });
      await sato.join(id, { participant: other.participant });
    };
    livekit.rooms.get(room)?.add('5-stranger');
    for (const seconds of [1, 25, 25]) await passJoining(seconds);
    expect(livekit.asked).toEqual([]);
    await passJoining(10);
    await expect.poll(() => present(world)).toEqual([first.participant, other.participant]);
  });

  it('[R2.10] is deleted later if LiveKit fails when the call ends', async () => {
    const { livekit, product, room, end, events } = await failingAtTheEnd();
    await end();
    await expect.poll(events).toEqual([{ event: 'livekit_failed', reason: 'internal' }]);
    livekit.fails = undefined;
    product.pass(10 * second);
    await expect.poll(() => livekit.rooms.has(room)).toBe(false);
    await expect.poll(events).toContainEqual({ event: 'livekit_answers_again', reason: undefined });
  });

  it('[R2.10] is left to LiveKit if it cannot be deleted six times, which the log says', async () => {
    const { livekit, product, room, end, events } = await failingAtTheEnd();
    await end();
    const passUntilKept = () => {
      product.pass(10 * second);
      return events();
    };
    await expect.poll(passUntilKept).toContainEqual({ event: 'livekit_room_kept', reason: undefined });
    expect(livekit.asked.filter((question) => question === `DeleteRoom ${room}`)).toHaveLength(6);
    expect(JSON.stringify(product.log)).not.toMatch(/eyJ|tanaka/);
  });
});

async function failingAtTheEnd() {
  const { livekit, product, tanaka, sato, id, first, other, room } = await callThroughLivekit();
  livekit.fails = 500;
  return {
    livekit,
    product,
    room,
    events: () => product.log.flatMap(({ event, reason }) => (String(event).startsWith('livekit') ? [{ event, reason }] : [])),
    async end() {
      await sato.leave(id, other.participant);
      await tanaka.leave(id, first.participant);
    },
  };
}
