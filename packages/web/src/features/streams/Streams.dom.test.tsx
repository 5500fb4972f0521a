import { expect, it } from 'vitest';
import { getSubscriptions, unsubscribe, type Fetch } from '@engawa/client';
import { chatServer } from '../../../test/chatServer.ts';
import { ai } from '../../../test/organisation.ts';
import { screenOf } from '../../../test/screen.tsx';
import { en } from '../../i18n/en.ts';
import { ja } from '../../i18n/ja.ts';
import { Streams } from './Streams.tsx';

const list = () => (
  <Streams addressOf={String} directsAddress="#directs" mentionsAddress="#mentions" plainText={String} onOpen={() => undefined} />
);

/** The list of streams of 田中 愛, whose server says whether she may create streams; undefined: it says nothing. */
async function streams(mayCreate: boolean | undefined, locale: 'ja' | 'en' = 'ja') {
  const server = await chatServer();
  const fetch: Fetch = async (input, init) => {
    const answer = await server.fetch(input, init);
    if (!String(input).endsWith('/register')) return answer;
    return Response.json({ ...(await answer.json()), can_create_private_streams: mayCreate });
  };
  const screen = await screenOf(list, { server, environment: { fetch }, locale });
  return { ...screen, server };
}

it('[R7.8] The list of streams offers a new group unless the server says that the member may not create one', async () => {
  for (const mayCreate of [true, undefined]) {
    const offered = await streams(mayCreate);
    expect(offered.getByRole('button', { name: ja.createGroup.open })).toBeTruthy();
    offered.unmount();
  }
  const refused = await streams(false);
  expect(refused.queryByRole('button', { name: ja.createGroup.open })).toBeNull();
});

it.each([
  ['ja', ja],
  ['en', en],
] as const)('[R7.8] An empty list of streams mentions no button that is not there (%s)', async (locale, words) => {
  const { server, findByText } = await streams(false, locale);
  const { subscriptions } = await getSubscriptions(server.as(ai), {});
  await unsubscribe(server.as(ai), { subscriptions: subscriptions.map(({ name }) => name) });
  await findByText(words.streams.onlyAdded);
});
