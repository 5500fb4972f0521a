import { getEvents, getOwnUser, getUser, getUserByEmail, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { allowedCall } from './allowedCalls.ts';

it('[R7.8] The calls of the protocol are allowed, and their query is unchanged', () => {
  expect(allowedCall('POST', '/api/v1/messages')).toEqual({ endpoint: sendMessage, target: '/api/v1/messages' });
  const query = '?queue_id=a%2Fb&last_event_id=-1';
  expect(allowedCall('GET', `/api/v1/events${query}`)).toEqual({ endpoint: getEvents, target: `/api/v1/events${query}` });
  expect(allowedCall('PATCH', '/api/v1/messages/31')?.target).toBe('/api/v1/messages/31');
});

it('[R7.8] A word in the path reaches the call with a text in its path, and an id the call with an id', () => {
  expect(allowedCall('GET', '/api/v1/users/sato%40example.com')?.endpoint).toBe(getUserByEmail);
  expect(allowedCall('GET', '/api/v1/users/sato+a@example.com')?.endpoint).toBe(getUserByEmail);
  expect(allowedCall('GET', '/api/v1/users/31')?.endpoint).toBe(getUser);
  expect(allowedCall('GET', '/api/v1/users/me')?.endpoint).toBe(getOwnUser);
});

it('[R7.8] Doubled slashes and one at the end are removed, as the embedded server does', () => {
  expect(allowedCall('GET', '/api/v1//users/me/?client_gravatar=true')?.target).toBe('/api/v1/users/me?client_gravatar=true');
});

it.each([
  ['GET', '/api/v1/messages/../users'],
  ['GET', '/api/v1/messages/%2e%2e/users'],
  ['GET', '/api/v1/messages%2f31'],
  ['GET', '/api/v1/messages/31;a'],
  ['GET', '/api/v1/messages/31%00'],
  ['GET', '/api/v1/messages/12345678901234567'],
  ['GET', '/api/v1/messages\\31'],
  ['GET', '/API/v1/messages'],
  ['GET', '/json/messages'],
  ['GET', '//zulip.invalid/api/v1/messages'],
  ['GET', 'http://zulip.invalid/api/v1/messages'],
  ['POST', '/api/v1/users/31/api_key'],
  ['POST', '/api/v1/user_uploads'],
  ['GET', '/api/v1/users/..'],
  ['GET', '/api/v1/users/%2e%2e'],
  ['GET', '/api/v1/users/a%2fb'],
  ['GET', '/api/v1/users/a;b'],
  ['GET', '/api/v1/users/a%00'],
  ['GET', '/api/v1/streams/31/email_address'],
  ['TRACE', '/api/v1/messages'],
  ['DELETE', '/api/v1/messages'],
])('[R7.8] %s %s does not reach a Zulip', (method, url) => {
  expect(allowedCall(method, url)).toBeUndefined();
});
