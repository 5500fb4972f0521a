import { describe, expect, it } from 'vitest';
import { eg } from '../test/eg.ts';
import { refusal, success } from '../test/scriptedServer.ts';
import { linkifiersOf, readingAnchor, subscribedOf } from './otherServers.ts';

const ai = { user_id: 9, email: 'ai@engawa.example' };
const pageNotFound = { status: 404, html: '<h1>Page not found</h1>' };
const methodNotAllowed = refusal(405, 'BAD_REQUEST', 'Method Not Allowed', { allowed_methods: ['POST'] });

it('subscribedOf finds a user’s streams in an answer whose keys are user ids', () => {
  const answer = { subscribed: { '9': ['開発本部'] }, already_subscribed: { '10': ['総務部'] } };
  expect(subscribedOf(answer, ai)).toEqual({ subscribed: ['開発本部'], already_subscribed: [] });
});

it('subscribedOf finds a user’s streams in an answer whose keys are emails, as before feature level 289', () => {
  const answer = { subscribed: {}, already_subscribed: { 'ai@engawa.example': ['総務部'] } };
  expect(subscribedOf(answer, ai)).toEqual({ subscribed: [], already_subscribed: ['総務部'] });
});

describe('linkifiersOf', () => {
  const linkifier = { id: 1, pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/100%/{id}' };

  it('linkifiersOf returns the linkifiers of the server', async () => {
    const { server, connection } = await eg([success({ linkifiers: [linkifier] })]);
    expect(await linkifiersOf(connection)).toEqual([linkifier]);
    expect(server.received.map(({ call }) => call)).toEqual(['GET /api/v1/realm/linkifiers']);
  });

  it('linkifiersOf converts the Python formats of servers before feature level 176 to URL templates', async () => {
    const { id, pattern } = linkifier;
    const older = { id, pattern, url_format: 'https://example.com/100%%/%(id)s' };
    const { connection } = await eg([success({ linkifiers: [older] })]);
    expect(await linkifiersOf(connection)).toEqual([linkifier]);
  });

  it.each([
    ['has no such page', pageNotFound],
    ['refuses the method', methodNotAllowed],
  ])('linkifiersOf reads the realm filters of an older server that %s', async (_, answer) => {
    const filters = success({ filters: [[linkifier.pattern, 'https://example.com/100%%/%(id)s', 1]] });
    const { server, connection } = await eg([answer, filters]);
    expect(await linkifiersOf(connection)).toEqual([linkifier]);
    expect(server.received.at(-1)?.call).toBe('GET /api/v1/realm/filters');
  });

  it('linkifiersOf does not call GET /realm/filters when the server refuses the credentials', async () => {
    const { server, connection } = await eg([refusal(401, 'INVALID_API_KEY', 'Invalid API key')]);
    await expect(linkifiersOf(connection)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    expect(server.received).toHaveLength(1);
  });
});

it('readingAnchor returns the member’s pointer if the server has one', async () => {
  const { connection } = await eg([success({ pointer: 41 })]);
  expect(await readingAnchor(connection)).toBe('41');
});

it.each([
  ['the pointer has never moved', success({ pointer: -1 })],
  ['the server has none', pageNotFound],
  ['the server refuses the method', methodNotAllowed],
])('readingAnchor returns “first_unread” if %s', async (_, answer) => {
  const { connection } = await eg([answer]);
  expect(await readingAnchor(connection)).toBe('first_unread');
});

it('readingAnchor rejects with the error of the server', async () => {
  const { connection } = await eg([{ status: 502, html: 'Bad Gateway' }]);
  await expect(readingAnchor(connection)).rejects.toMatchObject({ name: 'ServerError' });
});
