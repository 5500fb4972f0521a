import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { curlExample } from './curlExample.ts';

const bot = {
  site: 'https://chat.example',
  email: 'keihou-bot@chat.example',
  key: 'k'.repeat(32),
  topic: 'お知らせ',
  content: 'テスト',
};

/** The arguments that a shell gives to curl. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${command}`;
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}

it.each([
  ['a stream', { stream: '総務部' }, ['type=stream', 'to=総務部', 'topic=お知らせ']],
  ['a stream whose name looks like an id', { stream: '123' }, ['type=stream', 'to="123"', 'topic=お知らせ']],
  [
    'a stream with marks of a shell in its name',
    { stream: `it's $HOME \`id\` "x"` },
    ['type=stream', `to=it's $HOME \`id\` "x"`, 'topic=お知らせ'],
  ],
  ['a member', { userId: 7 }, ['type=direct', 'to=[7]']],
])('A shell gives curl the fields of a message to %s', (_, to, fields) => {
  const [, url, , credentials, ...rest] = argumentsOf(curlExample({ ...bot, to }));
  expect([url, credentials]).toEqual(['https://chat.example/api/v1/messages', `keihou-bot@chat.example:${'k'.repeat(32)}`]);
  expect(rest.filter((each) => each !== '--data-urlencode')).toEqual([...fields, 'content=テスト']);
});
