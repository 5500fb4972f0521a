import { composeFileMessage } from '@engawa/protocol';
import { fakeClock } from '@engawa/client/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { design, ken, lunch } from '../../../test/organisation.ts';
import { started, stopAll, type ExampleOptions } from '../../../test/example.ts';
import { nothing, type SearchConditions } from './search.ts';

afterEach(stopAll);

const start = { before: undefined, most: 20 };
const { signal } = new AbortController();

async function searching(options: ExampleOptions = {}) {
  const { server, model } = await started(options);
  const before = server.called('GET /messages').length;
  const asked = () =>
    server
      .called('GET /messages')
      .slice(before)
      .map(({ parameters }) => parameters);
  /** The calls that a search makes if all of them return this. */
  const callsOf = async (sought: Partial<SearchConditions>, place = start) => {
    await model.search({ ...nothing, query: '会議', ...sought }, place, signal);
    return asked();
  };
  const narrowsOf = async (sought: Partial<SearchConditions>) =>
    (await callsOf(sought)).map(({ narrow = '[]' }): unknown => JSON.parse(narrow));
  return { server, model, asked, callsOf, narrowsOf };
}

function message(id: number, timestamp = 1_700_000_000) {
  return {
    id,
    type: 'stream',
    stream_id: lunch.stream_id,
    display_recipient: lunch.name,
    sender_id: ken.user_id,
    sender_email: ken.email,
    sender_full_name: ken.full_name,
    sender_realm_str: '',
    avatar_url: null,
    client: 'Engawa',
    timestamp,
    content: `会議 ${id}`,
    content_type: 'text/x-markdown',
    is_me_message: false,
    recipient_id: 5,
    subject: 'stream events',
    topic_links: [],
    reactions: [],
    submessages: [],
    flags: [],
  };
}

function answer(ids: readonly number[], more: object = { found_oldest: true }): Response {
  const messages = ids.map((id) => message(id));
  const usual = { result: 'success', msg: '', anchor: 50, found_anchor: false, found_oldest: false, found_newest: true };
  return Response.json({ ...usual, messages, ...more });
}

const words = { operator: 'search', operand: '会議' };

describe('The request of a search', () => {
  it('[R1.8] [R2.9.1] A search covers one stream, one direct conversation, or all conversations of the member', async () => {
    const old = await searching();
    expect(await old.narrowsOf({ conversation: lunch.stream_id })).toEqual([
      [{ operator: 'stream', operand: lunch.stream_id }, words],
    ]);
    expect((await old.narrowsOf({ conversation: 'direct:1,2' })).at(-1)).toEqual([{ operator: 'dm', operand: [1, 2] }, words]);
    expect((await old.narrowsOf({})).at(-1)).toEqual([words]);
    const ours = await searching({ capabilities: ['in_own'] });
    expect(await ours.narrowsOf({})).toEqual([[{ operator: 'in', operand: 'own' }, words]]);
  });

  it('[R2.9.1] A search filters by sender and by file, even without a search word', async () => {
    const { narrowsOf } = await searching({ capabilities: ['file_narrow'] });
    const sender = { operator: 'sender', operand: 2 };
    expect(await narrowsOf({ query: ' ', senderId: 2, hasFile: true })).toEqual([
      [sender, { operator: 'has', operand: 'attachment' }],
    ]);
  });

  it('[R2.9.1, R9.5] A search filters by days in the time of Japan, includes both days, and accepts them in either order', async () => {
    for (const [from, to] of [
      ['2026-11-20', '2026-11-21'],
      ['2026-11-21', '2026-11-20'],
    ] as const) {
      const { callsOf } = await searching({ capabilities: ['date_anchor'] });
      expect(await callsOf({ from, to })).toMatchObject([
        { anchor: 'date', anchor_date: '2026-11-19T15:00:00.000Z', num_before: '0' },
        { anchor: 'date', anchor_date: '2026-11-21T15:00:00.000Z', num_before: '20' },
      ]);
    }
    const { callsOf } = await searching();
    expect(await callsOf({})).toMatchObject([{ anchor: 'newest', num_before: '20', num_after: '0' }]);
  });
});

describe('[R7.8] A search on a server without our additions', () => {
  const day = 86_400;
  const firstDay = Date.UTC(2026, 10, 1, -9) / 1000;
  const newest = 2000;

  /** A server with 100 messages per day, of which `contentOf` gives the texts. */
  async function busy(contentOf: (id: number) => string = String) {
    const { server, model, asked } = await searching({ environment: { clock: fakeClock((firstDay + 20 * day) * 1000) } });
    server.respond('GET /messages', ({ anchor = '', num_before = '0', num_after = '0', include_anchor }) => {
      const at = anchor === 'newest' ? newest : Number(anchor);
      const until = include_anchor === 'false' ? at - 1 : Math.min(newest, at + Number(num_after));
      const from = Math.max(1, at - Number(num_before));
      const ids = Array.from({ length: until - from + 1 }, (_, index) => from + index);
      const messages = ids.map((id) => ({ ...message(id, firstDay + id * (day / 100)), content: contentOf(id) }));
      return answer([], { messages, found_oldest: from === 1 });
    });
    const before = server.called('GET /messages').length;
    model.open(design.stream_id);
    await vi.waitFor(() => expect(model.state().maxMessageId).toBe(newest));
    const loads = server.called('GET /messages').length - before;
    return { model, asked: () => asked().slice(loads) };
  }

  it('[R7.8] A search finds the messages of a range of days by message ids', async () => {
    const { model, asked } = await busy();
    const range = { ...nothing, from: '2026-11-05', to: '2026-11-06' };
    const found = await model.search(range, { before: undefined, most: 500 }, signal);
    expect(found).toMatchObject({ next: undefined });
    const ids = 'hits' in found ? found.hits.map(({ messageId }) => messageId) : [];
    expect([ids.at(0), ids.at(-1), ids.length]).toEqual([599, 400, 200]);
    expect(asked().some(({ anchor }) => anchor === 'date')).toBe(false);
    const calls = asked().length;
    expect(calls).toBeLessThan(20);
    await model.search(range, { before: 500, most: 20 }, signal);
    // The ids of both days are known now.
    expect(asked()).toHaveLength(calls + 1);
  });

  it('[R7.8] A search until today begins at the newest message', async () => {
    const { model, asked } = await busy();
    await model.search({ ...nothing, to: '2026-11-21' }, start, signal);
    expect(asked().map(({ anchor }) => anchor)).toEqual(['newest']);
  });

  it('[R7.8] A search for files examines the messages itself, and the next page continues after the shown ones', async () => {
    const file = composeFileMessage({ name: '見積.pdf', storedName: `${'a'.repeat(20)}.pdf`, size: 1 });
    const upload = '[メモ.txt](/user_uploads/2/b/メモ.txt)';
    const contents = new Map([
      [1990, file],
      [1970, upload],
      [900, file],
    ]);
    const { model, asked } = await busy((id) => contents.get(id) ?? '縁側');
    const sought = { ...nothing, hasFile: true };
    const first = await model.search(sought, { before: undefined, most: 1 }, signal);
    expect(first).toMatchObject({ hits: [{ messageId: 1990 }], next: 1990 });
    expect(await model.search(sought, { before: 1990, most: 2 }, signal)).toMatchObject({
      hits: [{ messageId: 1970 }, { messageId: 900 }],
      next: 490,
    });
    expect(asked().every(({ narrow = '' }) => !narrow.includes('attachment'))).toBe(true);
  });
});

describe('The result of a search', () => {
  it('[R2.9.1] A search lists hits newest first and says before which message the next page continues', async () => {
    const { server, model, asked } = await searching();
    server.fail('GET /messages', answer([7, 9], { oldest_examined: 7 }));
    const first = await model.search({ ...nothing, query: '会議' }, { before: 12, most: 2 }, signal);
    expect(first).toMatchObject({
      next: 7,
      hits: [{ messageId: 9, conversation: lunch.stream_id, senderFullName: ken.full_name }, { messageId: 7 }],
    });
    expect(asked()).toMatchObject([{ anchor: '12', include_anchor: 'false', num_before: '2' }]);
  });

  it('[R2.9.1] If a server scans few messages per call, one search step makes at most five calls and says where to continue', async () => {
    const { server, model, asked } = await searching();
    const looked = [40, 30, 20, 10, 5];
    for (const oldest_examined of looked) server.fail('GET /messages', answer([], { oldest_examined }));
    const found = await model.search({ ...nothing, query: '会議' }, start, signal);
    expect(found).toEqual({ hits: [], next: 5 });
    expect(asked().map(({ anchor }) => anchor)).toEqual(['newest', '40', '30', '20', '10']);
  });

  it('[R2.9.1] If a server does not say how far it has scanned, the search continues before the oldest hit', async () => {
    const { server, model } = await searching();
    server.fail('GET /messages', answer([7, 9], {}));
    expect(await model.search({ ...nothing, query: '会議' }, { ...start, most: 2 }, signal)).toMatchObject({ next: 7 });
    server.fail('GET /messages', answer([], {}));
    expect(await model.search({ ...nothing, query: '会議' }, start, signal)).toEqual({ hits: [], next: undefined });
  });

  it('[R2.9.1] A search ends at the first day of its range and removes hits outside of the range', async () => {
    const { server, model } = await searching({ capabilities: ['date_anchor'] });
    const day = Date.UTC(2026, 10, 20) / 1000;
    server.fail('GET /messages', answer([], { anchor: 30 }));
    const messages = [message(29, day - 86_400), message(31, day), message(40, day + 86_400)];
    server.fail('GET /messages', answer([], { messages, oldest_examined: 29 }));
    const found = await model.search({ ...nothing, from: '2026-11-20', to: '2026-11-20' }, start, signal);
    expect(found).toMatchObject({ next: undefined, hits: [{ messageId: 31 }] });
  });

  it('[R2.9.1, R8.4] A search that fails returns the failure', async () => {
    const { server, model } = await searching();
    const find = () => model.search({ ...nothing, query: '会議' }, start, signal);
    server.fail('GET /messages', 'cut');
    expect(await find()).toEqual({ kind: 'network' });
    const notReady = { result: 'error', code: 'SEARCH_NOT_READY', msg: 'Search is not ready yet.' };
    server.fail('GET /messages', Response.json(notReady, { status: 503 }));
    expect(await find()).toEqual({ kind: 'not-ready' });
    server.fail('GET /messages', Response.json({ ...notReady, code: 'INTERNAL' }, { status: 500 }));
    expect(await find()).toEqual({ kind: 'server' });
  });
});
