import { editMessage, getMessageHistory, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';

async function setup() {
  const server = await eg.server();
  const as = (name: string) => eg.signIn(server, name);
  const { id } = await as('suzuki').ok(sendMessage, { type: 'stream', to: eg.general, topic: '予定', content: '一' });
  return {
    server,
    as,
    id,
    edit: async (by: string, change: { content?: string; topic?: string }) => {
      await server.clock.jump(10);
      await as(by).ok(editMessage, { message_id: id, ...change });
    },
    history: async (by: string) => (await as(by).ok(getMessageHistory, { message_id: id })).message_history,
  };
}

it('[R4.9] [R7.6] GET /messages/{message_id}/history returns the content and topic after each change, oldest first', async () => {
  const { server, edit, history } = await setup();
  const sent = server.clock.now() / 1000;
  await edit('suzuki', { content: '二' });
  await edit('tanaka', { topic: '昼食' });
  await edit('suzuki', { content: '三', topic: '夕食' });
  const [suzuki, tanaka] = [server.user('suzuki'), server.user('tanaka')];
  const rendered = { one: '<p>一</p>', two: '<p>二</p>', three: '<p>三</p>' };
  expect(await history('sato')).toEqual([
    { user_id: suzuki, timestamp: sent, topic: '予定', content: '一', rendered_content: rendered.one },
    {
      user_id: suzuki,
      timestamp: sent + 10,
      topic: '予定',
      content: '二',
      rendered_content: rendered.two,
      prev_content: '一',
      prev_rendered_content: rendered.one,
    },
    {
      user_id: tanaka,
      timestamp: sent + 20,
      topic: '昼食',
      content: '二',
      rendered_content: rendered.two,
      prev_topic: '予定',
    },
    {
      user_id: suzuki,
      timestamp: sent + 30,
      topic: '夕食',
      content: '三',
      rendered_content: rendered.three,
      prev_content: '二',
      prev_rendered_content: rendered.two,
      prev_topic: '昼食',
    },
  ]);
});

it('GET /messages/{message_id}/history returns only the original message if nothing has changed', async () => {
  const { history } = await setup();
  expect(await history('sato')).toMatchObject([{ content: '一', topic: '予定' }]);
});

it('[R6.1] GET /messages/{message_id}/history refuses a member who may not read the message', async () => {
  const { as, id } = await setup();
  const invalid = { status: 400, code: 'BAD_REQUEST', msg: 'Invalid message(s)' };
  expect(await as('ito').refused(getMessageHistory, { message_id: id })).toMatchObject(invalid);
  expect(await as('sato').refused(getMessageHistory, { message_id: 987 })).toMatchObject(invalid);
});
