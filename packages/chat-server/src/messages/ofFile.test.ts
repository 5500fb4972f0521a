import { composeFileMessage, deleteMessage, editMessage, sendMessage, uploadLink } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';

const storedName = `${'a'.repeat(20)}.xlsx`;
const fileMessage = (name: string, more: { readonly storedName?: string } = {}): string =>
  composeFileMessage({ name, storedName, size: 5, ...more });

async function setup() {
  const server = await eg.server();
  const as = (name: string) => eg.signIn(server, name);
  const send = async (content: string, by = 'suzuki', to = eg.general) =>
    (await as(by).ok(sendMessage, { type: 'stream', to, topic: '予定', content })).id;
  const found = (by = 'suzuki', most = 100) =>
    server
      .running()
      .messagesOfFile(server.user(by), storedName, most)
      .map(({ id }) => id);
  return { as, send, found };
}

it.each(['見積.xlsx', '見積,改2,.xlsx', '"見積".xlsx', '\\見積\t😀].xlsx', ','])(
  'messagesOfFile finds the file message of an uploaded file with any name: %j',
  async (name) => {
    const { send, found } = await setup();
    const id = await send(fileMessage(name));
    expect(found()).toEqual([id]);
  },
);

it('messagesOfFile finds the file message of a picture with its size', async () => {
  const { send, found } = await setup();
  const picture = { name: '庭.png', size: 5, picture: { width: 1200, height: 200 } };
  const id = await send(composeFileMessage({ ...picture, storedName }));
  await send(composeFileMessage({ ...picture, storedName: `${storedName}x` }));
  await send(composeFileMessage({ ...picture, storedName: storedName.slice(0, -1) }));
  expect(found()).toEqual([id]);
});

it("messagesOfFile finds the sender's messages with a file in all conversations, and none with another file", async () => {
  const { send, found } = await setup();
  const ids = [await send(fileMessage('a')), await send(fileMessage('b'), 'suzuki', eg.board)];
  const others = await send(fileMessage('a'), 'tanaka');
  await send(fileMessage(storedName, { storedName: 'b'.repeat(20) }));
  await send(`見てください,${storedName},5`);
  expect(found()).toEqual(ids.toReversed());
  expect(found('tanaka')).toEqual([others]);
});

it('messagesOfFile finds a message only if its current content names the file, not its content before an edit', async () => {
  const { as, send, found } = await setup();
  const [deleted, edited, later] = [await send(fileMessage('a')), await send(fileMessage('a')), await send('あとで')];
  await as('suzuki').ok(deleteMessage, { message_id: deleted });
  await as('suzuki').ok(editMessage, { message_id: edited, content: 'やめます' });
  await as('suzuki').ok(editMessage, { message_id: later, content: fileMessage('a') });
  expect(found()).toEqual([later]);
});

it('messagesOfFile finds a file message once if its name is a link to the same file', async () => {
  const { send, found } = await setup();
  const id = await send(fileMessage(uploadLink(storedName, 'a')));
  expect(found()).toEqual([id]);
});

it('messagesOfFile returns the newest messages first, at most as many as asked, of file messages and links together', async () => {
  const { send, found } = await setup();
  const ids: number[] = [];
  for (const content of [fileMessage('a'), `[b](${uploadLink(storedName, 'b.xlsx')})`, fileMessage('c')])
    ids.push(await send(content));
  expect(found('suzuki', 2)).toEqual(ids.toReversed().slice(0, 2));
  expect(found('suzuki', 3)).toEqual(ids.toReversed());
});
