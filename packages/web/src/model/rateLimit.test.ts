import { afterEach, describe, expect, it, vi } from 'vitest';
import { ai, general, ken, mai } from '../../test/organisation.ts';
import { rows, started, stopAll, type Example } from '../../test/example.ts';
import { nothing } from './timeline/search.ts';
import { selectMessage } from './outbox/selectors.ts';

afterEach(stopAll);

/** As a real Zulip answers: the wait has decimals. */
const limited = () =>
  Response.json(
    { result: 'error', msg: 'API usage exceeded rate limit', code: 'RATE_LIMIT_HIT', 'retry-after': 59.967 },
    { status: 429, headers: { 'Retry-After': '59.967' } },
  );
const busy = { kind: 'busy', retryAfterSeconds: 59.967 };

const thumb = { name: '+1', code: '1f44d', type: 'unicode_emoji' };
const { stream_id: streamId } = general;
const { signal } = new AbortController();

type Command = (example: Example, messageId: number) => Promise<unknown>;

const commands: readonly (readonly [name: string, call: string, command: Command])[] = [
  ['edit', 'GET /messages/ID', ({ model }, id) => model.edit(id, '承知しました', '了解です')],
  ['remove', 'DELETE /messages/ID', ({ model }, id) => model.remove(id)],
  ['history', 'GET /messages/ID/history', ({ model }, id) => model.history(id)],
  ['toggleReaction', 'POST /messages/ID/reactions', ({ model }, id) => model.toggleReaction(id, thumb)],
  ['star', 'POST /messages/flags', ({ model }, id) => model.star(id, true)],
  ['unreadFrom', 'POST /messages/flags', ({ model }) => model.unreadFrom(streamId, 1)],
  ['readersOf', 'GET /messages/ID/read_receipts', ({ model }, id) => model.readersOf(id)],
  [
    'search',
    'GET /messages',
    ({ model }) => model.search({ ...nothing, query: '会議' }, { before: undefined, most: 20 }, signal),
  ],
  ['loadFlagged', 'GET /messages', ({ model }) => model.loadFlagged('starred', undefined)],
  ['addAlertWord', 'POST /users/me/alert_words', ({ model }) => model.addAlertWord('会議')],
  ['changeSettings', 'PATCH /settings', ({ model }) => model.changeSettings({ enter_sends: false })],
  ['setStatus', 'POST /users/me/status', ({ model }) => model.setStatus({ text: '会議中', busy: true, until: undefined })],
  ['createGroup', 'GET /streams', ({ model }) => model.createGroup('企画', [ken.user_id])],
  ['changeStream: set', 'POST /users/me/subscriptions/properties', ({ model }) => model.changeStream(streamId, set)],
  ['changeStream: invite', 'POST /users/me/subscriptions', ({ model }) => model.changeStream(streamId, invite)],
  ['changeStream: leave', 'DELETE /users/me/subscriptions', ({ model }) => model.changeStream(streamId, { kind: 'leave' })],
];

const set = { kind: 'set', settings: { is_muted: true } } as const;
const invite = { kind: 'invite', userIds: [mai.user_id] } as const;

async function withOwn() {
  const example = await started();
  const id = await example.server.send(ai, streamId, '了解です');
  await vi.waitFor(() => expect(selectMessage(example.model.state(), id)).toBeDefined());
  return { example, id };
}

describe('[R7.8] The rate limit of the server', () => {
  it.each(commands)('[R7.8] The command %s answers how long to wait, and works after that', async (_, call, command) => {
    const { example, id } = await withOwn();
    example.server.fail(call.replace('ID', String(id)), limited());
    expect(await command(example, id)).toEqual(busy);
    expect(await command(example, id)).not.toMatchObject({ kind: expect.any(String) });
  });

  it('[R7.8] A message that is sent too early is sent again after the wait', async () => {
    const { example } = await withOwn();
    const { server, clock, model } = example;
    server.fail('POST /messages', limited());
    model.send(streamId, { text: '届きますか', file: undefined });
    await vi.waitFor(() => expect(rows(model, streamId).at(-1)).toBe('failed 届きますか'));
    await clock.pass(59_967);
    await vi.waitFor(() => expect(rows(model, streamId).at(-1)).toBe('sent 届きますか'));
    expect(server.called('POST /messages').filter(({ parameters }) => parameters['content'] === '届きますか')).toHaveLength(2);
  });

  it('[R7.8] Messages are marked as read after the wait', async () => {
    const { example } = await withOwn();
    const { server, clock, model } = example;
    const received = await server.send(ken, streamId, '次です');
    await vi.waitFor(() => expect(selectMessage(model.state(), received)).toBeDefined());
    server.fail('POST /messages/flags', limited());
    model.resumeReading(streamId);
    await clock.pass(59_967);
    await vi.waitFor(() => expect(server.called('POST /messages/flags')).toHaveLength(2));
  });
});
