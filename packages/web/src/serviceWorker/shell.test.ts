import { expect, it } from 'vitest';
import { cacheOf, isFile, kindOf, outlived } from './shell.ts';

const origin = 'https://chat.engawa.example';
const shell = { version: 'two', files: ['/', '/theme.js', '/assets/index-2.js'] };
const asked = (address: string, mode = 'cors', method = 'GET') =>
  kindOf({ method, mode, url: new URL(address, origin).href }, origin, shell);

it.each([
  ['the page', '/', 'navigate', 'page'],
  ['the page for a link with a secret, without reading it', '/?from=mail#/invitation/himitsu', 'navigate', 'page'],
  ['a part of this version', '/assets/index-2.js', 'cors', 'part'],
  ['a part of another version', '/assets/index-1.js', 'cors', 'part'],
  ['a file of the shell', '/theme.js', 'no-cors', 'file'],
  ['no API call', '/api/session', 'cors', undefined],
  ['no call of the chat server', '/api/v1/messages?anchor=newest', 'cors', undefined],
  ['no file of a member', '/api/storage/temp/abcdefghijabcdefghij.png', 'no-cors', undefined],
  ['no navigation to a file of a member', '/api/storage/temp/abcdefghijabcdefghij.png', 'navigate', undefined],
  ['no picture of a member', '/avatars/1.svg', 'no-cors', undefined],
  ['no sign-out', '/logout', 'navigate', undefined],
  ['no other page', '/nowhere', 'navigate', undefined],
  ['no frame or fetch of the page', '/', 'cors', undefined],
  ['nothing of another origin', 'https://evil.example/assets/index-2.js', 'cors', undefined],
] as const)('The service worker answers %s', (_, address, mode, expected) => {
  expect(asked(address, mode)).toBe(expected);
});

it('The service worker answers no request that may change something', () => {
  expect(asked('/', 'navigate', 'POST')).toBeUndefined();
});

const answered = (type: string, text = '', status = 200) => new Response(text, { status, headers: { 'Content-Type': type } });

it.each([
  ['the page of its build', '/', answered('text/html; charset=utf-8', '<meta name="engawa-version" content="two" />'), true],
  ['no page of another build', '/', answered('text/html', '<meta name="engawa-version" content="three" />'), false],
  ['no sign-in page of a proxy', '/', answered('text/html', '<form>'), false],
  ['a part', '/assets/index-2.js', answered('text/javascript', 'export {}'), true],
  ['no sign-in page instead of a part', '/assets/index-2.js', answered('text/html', '<form>'), false],
  ['no missing part', '/assets/index-2.js', answered('text/plain', '', 404), false],
] as const)('The service worker stores %s', async (_, file, answer, expected) => {
  expect(await isFile(file, answer, shell)).toBe(expected);
});

it('outlived returns the caches of old versions to delete, except that of the previous version', () => {
  const [one, two, three, four] = ['1', '2', '3', '4'].map((version) => cacheOf({ version }));
  const names = ['of something else', one, two, three, four].filter((name) => name !== undefined);
  expect(outlived(names, cacheOf({ version: '3' }))).toEqual([one]);
  expect(outlived(names, cacheOf({ version: '4' }))).toEqual([one, two]);
  expect(outlived(names, cacheOf({ version: '1' }))).toEqual([]);
});
