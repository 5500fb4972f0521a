import { getOwnUser, getPointer, putPointer, registerQueue, sendMessage, updatePointer } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { messages } from '../messages/store.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';

const message = (to: string) => ({ type: 'stream', to, topic: 't', content: 'c' });

async function setup() {
  const server = await eg.server();
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const send = async () => (await tanaka.ok(sendMessage, message(eg.general))).id;
  return { server, tanaka, sato, send, first: await send(), second: await send() };
}

it('[R7.6] GET /users/me/pointer returns -1 at first, and later the message id to which the member moved the pointer', async () => {
  const { sato, tanaka, first } = await setup();
  expect(await sato.ok(getPointer, {})).toEqual({ pointer: -1 });
  await sato.ok(updatePointer, { pointer: first });
  expect(await sato.ok(getPointer, {})).toEqual({ pointer: first });
  expect(await sato.ok(getOwnUser, {})).toMatchObject({ pointer: first });
  expect(await sato.ok(registerQueue, { event_types: ['pointer'] })).toMatchObject({ pointer: first });
  expect(await tanaka.ok(getPointer, {})).toEqual({ pointer: -1 });
});

for (const [method, call] of [
  ['POST', updatePointer],
  ['PUT', putPointer],
] as const) {
  it(`[R7.6] ${method} /users/me/pointer with a newer message moves the pointer and sends an event to this member’s queues only`, async () => {
    const { sato, tanaka, second } = await setup();
    const [own, others] = [await queueOf(sato), await queueOf(tanaka)];
    expect(await sato.ok(call, { pointer: second })).toEqual({});
    expect(await own.take()).toEqual([{ id: own.cursor, type: 'pointer', pointer: second }]);
    expect(await others.take()).toEqual([]);
  });

  it(`${method} /users/me/pointer with the same or an older message changes nothing and publishes no event`, async () => {
    const { sato, first, second } = await setup();
    await sato.ok(call, { pointer: second });
    const queue = await queueOf(sato);
    for (const pointer of [second, first, 0]) await sato.ok(call, { pointer });
    expect(await sato.ok(getPointer, {})).toEqual({ pointer: second });
    expect(await queue.take()).toEqual([]);
  });

  it(`[R6.1] ${method} /users/me/pointer refuses missing, inaccessible and deleted messages with the same error`, async () => {
    const { server, sato, send } = await setup();
    const { id: forbidden } = await eg.signIn(server, 'suzuki').ok(sendMessage, message(eg.board));
    const deleted = await send();
    await fileOf(server).database.write((tx) => messages.blank(tx, deleted, 1));
    const refusal = { result: 'error', status: 400, code: 'BAD_REQUEST', msg: 'Invalid message ID' };
    for (const pointer of [forbidden, deleted, 987_654]) {
      expect(await sato.refused(call, { pointer })).toEqual(refusal);
    }
    expect(await sato.ok(getPointer, {})).toEqual({ pointer: -1 });
  });

  it.each([
    ['Invalid pointer', { pointer: '-1' }],
    ['pointer is not an integer', { pointer: '"7"' }],
    ["Missing 'pointer' argument", {}],
  ])(`${method} /users/me/pointer refuses a call with the error “%s”`, async (msg, form) => {
    const { sato } = await setup();
    const refusal = eg.refusal(await sato.raw({ method, path: '/users/me/pointer', form }));
    expect(refusal).toMatchObject({ status: 400, msg });
  });
}
