import { busyEmoji, getEvents, registerQueue, updateStatus, updateSubscriptionProperties } from '@engawa/protocol';
import { callLimits, callPaths, callState, startedCall } from '@engawa/protocol/calls';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { callersIn, createStream, memberCalling, names, second } from '../testing/calls.ts';
import { runProductForFile } from '../testing/product.ts';

const product = await runProductForFile({ RATE_LIMIT: 'none' });
const setup = () => callersIn(product);
const rising = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

/** Registers a queue for calls. @returns a function that takes the states since the last time. */
async function statesFor(name: string) {
  const queue = await product.call(name, registerQueue, { event_types: ['call'] });
  const { queue_id } = queue;
  let { last_event_id } = queue;
  const take = async () => {
    const { events } = await product.call(name, getEvents, { queue_id, last_event_id, dont_block: true });
    last_event_id = Math.max(last_event_id, ...events.map(({ id }) => id));
    return events.map((event) => callState.parse(z.object({ call: z.unknown() }).parse(event).call));
  };
  // The chat server still has states of earlier tests, because only the clock of the product moves.
  await take();
  return take;
}

describe('ringing', () => {
  it('[R2.10] A call rings the other participants of a direct conversation, and they get it as an event', async () => {
    const { tanaka, satoId, tanakaId } = await setup();
    const [states, own] = [await statesFor('sato'), await statesFor('tanaka')];
    const { id } = await tanaka.start([satoId]);
    expect(await states()).toMatchObject([{ id, state: 'ongoing', started_by: tanakaId, ringing: [satoId], answers: [] }]);
    expect(await own()).toMatchObject([{ id, ringing: [satoId] }]);
  });

  it('[R2.10] A call rings a stream of ten members, but not one of eleven', async () => {
    const { tanaka } = await setup();
    const more = ['yoshida', 'goto', 'murakami', 'yamamoto', 'kobayashi', 'mori', 'ikeda'];
    const small = await createStream(product, [...names, ...more].slice(0, callLimits.ringMembers));
    expect((await tanaka.start(small.id)).ringing).toHaveLength(callLimits.ringMembers - 1);
    const large = await createStream(product, [...names, ...more].slice(0, callLimits.ringMembers + 1));
    const { id, ringing } = await tanaka.start(large.id);
    expect(ringing).toEqual([]);
    const { participant } = await tanaka.join(id, { move: true });
    expect(await tanaka.refused('POST', callPaths.ring(id), { participant })).toMatchObject({ status: 400 });
  });

  it('[R2.10] A call that starts without ringing calls nobody', async () => {
    const { tanaka, satoId } = await setup();
    expect(await tanaka.start([satoId], { ring: false })).toMatchObject({ ringing: [], ring_ends: null });
  });

  it('[R2.10] When a member joins on one device, the event stops the ringing of their other devices', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const otherDevice = await statesFor('sato');
    await sato.join(id);
    expect(await otherDevice()).toMatchObject([
      { participants: [satoId], ringing: [], answers: [{ user_id: satoId, answer: 'joined' }] },
    ]);
  });

  it('[R2.10] When a member declines on one device, all devices stop ringing and the caller learns it', async () => {
    const { tanaka, sato, tanakaId, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant } = await tanaka.join(id);
    const [own, callers] = [await statesFor('sato'), await statesFor('tanaka')];
    await sato.decline(id);
    const declined = { ringing: [], ring_ends: null, participants: [tanakaId] };
    for (const states of [own, callers]) {
      expect(await states()).toMatchObject([
        { ...declined, answers: expect.arrayContaining([{ user_id: satoId, answer: 'declined' }]) },
      ]);
    }
    await tanaka.leave(id, participant);
    expect((await tanaka.details(id)).call).toMatchObject({ state: 'ended', reason: 'declined' });
  });

  it('[R2.10] After 30 seconds without an answer the ringing ends, and the call counts as missed', async () => {
    const { tanaka, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant } = await tanaka.join(id);
    product.pass((callLimits.ring - 1) * second);
    await tanaka.join(id, { participant });
    const states = await statesFor('sato');
    product.pass(2 * second);
    expect(await states()).toMatchObject([{ state: 'ongoing', ringing: [], ring_ends: null }]);
    expect((await tanaka.details(id)).people).toContainEqual({
      user_id: satoId,
      answer: 'missed',
      first_joined: null,
      last_left: null,
    });
    await tanaka.leave(id, participant);
    expect((await tanaka.details(id)).call).toMatchObject({ state: 'ended', reason: 'unanswered' });
  });

  it('[R2.10] When the caller goes while it rings, the call ends at once and counts as missed', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant } = await tanaka.join(id);
    const states = await statesFor('sato');
    await tanaka.leave(id, participant);
    expect(await states()).toMatchObject([
      { state: 'ended', ringing: [], participants: [], answers: expect.arrayContaining([{ user_id: satoId, answer: 'missed' }]) },
    ]);
    expect((await sato.details(id)).call.reason).toBe('unanswered');
  });

  it('[R2.10] A member who missed a call can still join it', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant } = await tanaka.join(id);
    product.pass(20 * second);
    await tanaka.join(id, { participant });
    product.pass(11 * second);
    const { call } = await sato.join(id);
    expect(call.answers).toContainEqual({ user_id: satoId, answer: 'joined' });
  });

  it('[R2.10] A member who is busy, in a call or has muted the stream does not ring, and the others do not learn it', async () => {
    const { tanaka, sato, suzuki, tanakaId, satoId, suzukiId, katoId } = await setup();
    const { id: streamId } = await createStream(product, names);
    const elsewhere = await suzuki.start([satoId], { ring: false });
    await suzuki.join(elsewhere.id);
    await product.call('sato', updateStatus, { status_text: '会議中', ...busyEmoji });
    const muting = [{ stream_id: streamId, property: 'is_muted', value: true }];
    await product.call('kato', updateSubscriptionProperties, { subscription_data: muting });
    const { id, ringing } = await tanaka.start(streamId);
    const called = rising([satoId, suzukiId, katoId]);
    expect(rising(ringing)).toEqual(called);
    const members = [sato, suzuki, memberCalling(product, 'kato')];
    const seen = await Promise.all(members.map(async (each) => (await each.details(id)).call.ringing));
    expect(seen.map(rising)).toEqual([satoId, suzukiId, katoId].map((own) => called.filter((userId) => userId !== own)));
    await product.call('sato', updateStatus, { status_text: '', emoji_name: '', emoji_code: '', reaction_type: '' });
    expect(seen.flat()).not.toContain(tanakaId);
  });

  it('[R2.10] A participant can ring again those who did not come, three times in ten minutes per person', async () => {
    const { tanaka, sato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    const { participant } = await tanaka.join(id);
    await sato.decline(id);
    const ring = { participant, user_ids: [satoId] };
    for (let count = 1; count < callLimits.ringsPerPerson.calls; count += 1) {
      await tanaka.ok('POST', callPaths.ring(id), ring);
      expect((await sato.details(id)).call.ringing).toEqual([satoId]);
    }
    const refusal = await tanaka.refused('POST', callPaths.ring(id), ring);
    expect(refusal).toMatchObject({ status: 429, code: 'RATE_LIMIT_HIT', 'retry-after': expect.any(Number) });
  });
});

describe('ringing again', () => {
  it('[R2.10] One request rings several members, each of them in addition to the others', async () => {
    const { tanaka, sato, satoId, suzukiId, katoId } = await setup();
    const { id } = await tanaka.start((await createStream(product, names)).id, { ring: false });
    const { participant } = await tanaka.join(id);
    await sato.join(id);
    const { call } = startedCall.parse(
      await tanaka.ok('POST', callPaths.ring(id), { participant, user_ids: [satoId, suzukiId, katoId] }),
    );
    expect(rising(call.ringing)).toEqual(rising([suzukiId, katoId]));
  });

  it('[R2.10] A participant who would ring nobody is refused', async () => {
    const { tanaka, sato, tanakaId, satoId, katoId } = await setup();
    const { id } = await tanaka.start([satoId], { ring: false });
    const { participant } = await tanaka.join(id);
    for (const user_ids of [[], [katoId], [tanakaId], [999_999]]) {
      const refusal = await tanaka.refused('POST', callPaths.ring(id), { participant, user_ids });
      expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    }
    await sato.join(id);
    expect(await tanaka.refused('POST', callPaths.ring(id), { participant })).toMatchObject({ status: 400 });
  });
});

describe('list of calls', () => {
  it('[R2.10] GET /api/calls lists the ongoing calls of the member’s conversations with the engines and their limits', async () => {
    const { tanaka, sato, kato, satoId } = await setup();
    const { id } = await tanaka.start([satoId]);
    expect(await sato.list()).toMatchObject([{ id, ringing: [satoId] }]);
    expect(await kato.list()).toEqual([]);
    expect(await kato.ok('GET', callPaths.calls)).toEqual({
      calls: [],
      engines: [{ engine: 'mesh', participants: callLimits.participants.mesh, cameras: callLimits.cameras }],
      ring_members: callLimits.ringMembers,
    });
  });
});
