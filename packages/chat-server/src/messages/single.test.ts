import { getMessage, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { joins, leaves } from '../testing/membership.ts';

const invalid = { status: 400, code: 'BAD_REQUEST', msg: 'Invalid message(s)' };

async function setup(content: string, to: string = eg.general) {
  const server = await eg.server();
  const { id } = await eg.signIn(server, 'tanaka').ok(sendMessage, { type: 'stream', to, topic: '予定', content });
  return { server, id, as: (name: string) => eg.signIn(server, name) };
}

it('[R7.6] GET /messages/{message_id} returns a message as HTML or as source text, and always its source in raw_content', async () => {
  const { server, id, as } = await setup('縁側\n庭');
  expect(await as('sato').ok(getMessage, { message_id: id })).toMatchObject({
    message: {
      id,
      type: 'stream',
      stream_id: server.stream(eg.general),
      subject: '予定',
      content: '<p>縁側<br>\n庭</p>',
      content_type: 'text/html',
      flags: [],
    },
    raw_content: '縁側\n庭',
  });
  expect(await as('tanaka').ok(getMessage, { message_id: id, apply_markdown: false })).toMatchObject({
    message: { content: '縁側\n庭', content_type: 'text/x-markdown', flags: ['read'] },
    raw_content: '縁側\n庭',
  });
});

it('[R6.1] GET /messages/{message_id} gives the same error for a missing message and for one that the member may not read', async () => {
  const { server, id, as } = await setup('一');
  await leaves(server, 'suzuki', eg.general);
  for (const [name, request] of [
    ['sato', 987],
    ['ito', id],
    ['suzuki', id],
  ] as const) {
    expect(await as(name).refused(getMessage, { message_id: request })).toMatchObject(invalid);
  }
});

it('[R6.1] GET /messages/{message_id} hides a message that was sent before the member joined a stream with protected history', async () => {
  const { server, id, as } = await setup('内緒', eg.personnel);
  await joins(server, 'ito', eg.personnel);
  expect(await as('ito').refused(getMessage, { message_id: id })).toMatchObject(invalid);
});
