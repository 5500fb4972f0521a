import { countReadReceipts, registerQueue } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { advanceTaskTime } from '../testing/taskTime.ts';

it('Other calls are answered between the parts of a registration if each part takes a whole turn', async () => {
  const server = await eg.server();
  const [sato, tanaka] = [eg.signIn(server, 'sato'), eg.signIn(server, 'tanaka')];
  advanceTaskTime(11);
  let isRegistered = false;
  const registered = sato.ok(registerQueue, {}).then(() => (isRegistered = true));
  for (let time = 0; time < 10; time += 1) {
    await tanaka.ok(countReadReceipts, { messages: [] });
    expect(isRegistered, `call ${time}`).toBe(false);
  }
  await registered;
});
