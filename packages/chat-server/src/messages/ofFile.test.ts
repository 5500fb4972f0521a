import { composeFileMessage, deleteMessage, editMessage, sendMessage } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';

const storedName = `${'a'.repeat(20)}.xlsx`;
const fileMessage = (name: string, more: { readonly storedName?: string } = {}): string =>
  composeFileMessage({ name, storedName, size: 5, ...more });

async function sending() {
  const server = await eg.server();
  const as = (name: string) => eg.signIn(server, name);
  const says = async (content: string, by = 'suzuki', to = eg.general) =>
    (await as(by).ok(sendMessage, { type: 'stream', to, topic: '予定', content })).id;
  const found = (by = 'suzuki') =>
    server
      .running()
      .messagesOfFile(server.user(by), storedName)
      .map(({ id }) => id);
  return { as, says, found };
}

describe('the messages of a file', () => {
  it.each(['見積.xlsx', '見積,改2,.xlsx', '"見積".xlsx', '\\見積\t😀].xlsx', ','])(
    'are found whatever its name is: %j',
    async (name) => {
      const { says, found } = await sending();
      const id = await says(fileMessage(name));
      expect(found()).toEqual([id]);
    },
  );

  it("are its sender's in all conversations, and none that names another file or none", async () => {
    const { says, found } = await sending();
    const ids = [await says(fileMessage('a')), await says(fileMessage('b'), 'suzuki', eg.board)];
    const others = await says(fileMessage('a'), 'tanaka');
    await says(fileMessage(storedName, { storedName: 'b'.repeat(20) }));
    await says(`見てください,${storedName},5`);
    expect(found()).toEqual(ids);
    expect(found('tanaka')).toEqual([others]);
  });

  it('are those that name it now', async () => {
    const { as, says, found } = await sending();
    const [deleted, corrected, later] = [await says(fileMessage('a')), await says(fileMessage('a')), await says('あとで')];
    await as('suzuki').ok(deleteMessage, { message_id: deleted });
    await as('suzuki').ok(editMessage, { message_id: corrected, content: 'やめます' });
    await as('suzuki').ok(editMessage, { message_id: later, content: fileMessage('a') });
    expect(found()).toEqual([later]);
  });
});
