import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { getRealmEmoji, maxEmojiBytes } from '@engawa/protocol';
import { chatPaths } from '@engawa/protocol/uploads';
import { expect, it } from 'vitest';
import { png } from '../demo/documents/png.ts';
import { runProductForFile } from '../testing/product.ts';

const product = await runProductForFile();
const host = 'localhost';
const picture = png(64, 64, () => [30, 120, 90] as const);
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

async function add(by: string, name: string, content: Uint8Array, fields = ['filename']) {
  const body = new FormData();
  for (const field of fields) body.append(field, new File([new Uint8Array(content)], 'it.png', { type: 'image/png' }));
  const response = new Response(body);
  const headers = {
    host,
    'content-type': response.headers.get('content-type') ?? '',
    authorization: await product.basicOf(by),
  };
  const payload = Buffer.from(await response.arrayBuffer());
  return product.app.inject({ method: 'POST', url: `${chatPaths.newEmoji}${name}`, headers, payload });
}

const kept = (): string[] => readdirSync(join(product.dataDirectory, 'emoji')).filter((name) => name !== 'arriving');
const addressOf = async (emoji: string) =>
  Object.values((await product.call('sato', getRealmEmoji, {})).emoji).find(({ name }) => name === emoji)?.source_url ?? '';

it('[R7.6] A member adds a custom emoji by a form of the chat API, and its picture is served so that nothing in it runs', async () => {
  expect((await add('tanaka', 'niwa', picture)).json()).toEqual({ result: 'success', msg: '' });
  const url = await addressOf('niwa');
  const shown = await product.app.inject({ url, headers: { host } });
  expect(shown.rawPayload.equals(picture)).toBe(true);
  expect(shown.headers).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
  });
});

it.each([
  ['a picture with a script', 'script', svg, 400, 'A custom emoji must be a PNG, GIF, JPEG or WebP picture.'],
  [
    'a picture that is too large',
    'large',
    Buffer.concat([picture, Buffer.alloc(maxEmojiBytes)]),
    413,
    'The picture is larger than 262144 bytes.',
  ],
  [
    'a picture with too many pixels',
    'wide',
    png(1025, 2, () => [1, 2, 3] as const),
    400,
    'The image is more than 1024 pixels wide or high.',
  ],
  ['a name with other characters', '%E5%BA%AD', picture, 400, 'Invalid characters in emoji name'],
])('%s is refused as a custom emoji and leaves nothing on the disk', async (_, name, content, status, msg) => {
  const before = kept();
  const answer = await add('tanaka', name, content);
  expect([answer.statusCode, answer.json()]).toMatchObject([status, { result: 'error', msg }]);
  expect(kept()).toEqual(before);
  expect(readdirSync(join(product.dataDirectory, 'emoji', 'arriving'))).toEqual([]);
});

it('A form with two pictures is refused as a custom emoji and leaves nothing on the disk', async () => {
  const before = kept();
  const answer = await add('tanaka', 'two', picture, ['one', 'other']);
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { result: 'error' }]);
  expect(kept()).toEqual(before);
  expect(readdirSync(join(product.dataDirectory, 'emoji', 'arriving'))).toEqual([]);
});

it('Of two emoji that arrive with the same name, one is added, and only its picture stays', async () => {
  const before = kept();
  const [one, other] = await Promise.all([add('tanaka', 'race', picture), add('sato', 'race', picture)]);
  expect([one.statusCode, other.statusCode].toSorted()).toEqual([200, 400]);
  const added = kept().filter((name) => !before.includes(name));
  expect(added).toEqual([basename(await addressOf('race'))]);
});
