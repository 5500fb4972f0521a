import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  deleteStream,
  getEvents,
  getOwnUser,
  getStreamId,
  getSubscriptions,
  registerQueue,
  serverEvent,
  subscribe,
  unsubscribe,
  updateStream,
} from '@engawa/protocol';
import { maxImageBytes, streamPicture } from '@engawa/protocol/product';
import { imageRefusals } from '@engawa/protocol/uploads';
import { describe, expect, it } from 'vitest';
import { png } from '../demo/documents/png.ts';
import { runProductForFile } from '../testing/product.ts';

const product = await runProductForFile();
const host = 'localhost';
const picture = png(64, 64, () => [30, 120, 90] as const);

const idOf = async (name: string) => (await product.call(name, getOwnUser, {})).user_id;
const streamOf = async (name: string, stream: string) => (await product.call(name, getStreamId, { stream })).stream_id;

/** A group of 田中 and 佐藤. */
async function group(name: string): Promise<number> {
  const principals = [await idOf('tanaka'), await idOf('sato')];
  await product.call('tanaka', subscribe, { subscriptions: [{ name }], principals });
  return streamOf('tanaka', name);
}

async function give(name: string, streamId: number, form: Readonly<Record<string, string | Buffer>>) {
  const body = new FormData();
  for (const [field, value] of Object.entries(form)) {
    if (typeof value === 'string') body.append(field, value);
    else body.append(field, new File([new Uint8Array(value)], 'it.png', { type: 'image/png' }));
  }
  const response = new Response(body);
  const payload = Buffer.from(await response.arrayBuffer());
  const headers = {
    host,
    'content-type': response.headers.get('content-type') ?? '',
    authorization: await product.basicOf(name),
  };
  return product.app.inject({ method: 'POST', url: `/api/streams/${streamId}/picture`, headers, payload });
}

async function given(name: string, streamId: number, form: Readonly<Record<string, string | Buffer>>) {
  const answer = await give(name, streamId, form);
  expect(answer.statusCode, answer.body).toBe(200);
  return streamPicture.parse(answer.json()).picture_url;
}

async function look(name: string, url: string, headers: Readonly<Record<string, string>> = {}) {
  return product.app.inject({ url, headers: { host, authorization: await product.basicOf(name), ...headers } });
}

async function shownTo(name: string, streamId: number) {
  const { subscriptions } = await product.call(name, getSubscriptions, {});
  return subscriptions.find(({ stream_id }) => stream_id === streamId)?.picture_url;
}

const kept = (): string[] => readdirSync(join(product.dataDirectory, 'stream-pictures')).filter((name) => name !== 'arriving');

describe('picture of a stream', () => {
  it("[R2.11.1] When the creator sets a stream's picture, subscribers receive an event, and members who see the stream can load it", async () => {
    const id = await group('写真の会');
    const { queue_id, last_event_id } = await product.call('sato', registerQueue, { event_types: ['stream'] });
    const url = await given('tanaka', id, { image: picture });
    const { events } = await product.call('sato', getEvents, { queue_id, last_event_id, dont_block: true });
    expect(events.map((event) => serverEvent.parse(event))).toMatchObject([
      { op: 'update', stream_id: id, property: 'picture_url', value: url },
    ]);
    expect(await shownTo('sato', id)).toBe(url);
    const seen = await look('sato', url ?? '');
    expect([seen.statusCode, seen.headers['content-type'], seen.rawPayload]).toEqual([200, 'image/png', picture]);
    expect(seen.headers['content-security-policy']).toContain('sandbox');
    expect((await look('suzuki', url ?? '')).statusCode, 'to nobody outside').toBe(404);
  });

  it("[R2.11.1] A stream's picture must be revalidated each time, so that a former subscriber's browser does not show a cached one", async () => {
    const id = await group('去る人の会');
    const url = (await given('tanaka', id, { image: picture })) ?? '';
    const seen = await look('sato', url);
    expect(seen.headers['cache-control']).toBe('private, no-cache');
    const etag = String(seen.headers.etag);
    const again = await look('sato', url, { 'if-none-match': etag });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    await product.call('sato', unsubscribe, { subscriptions: ['去る人の会'] });
    expect((await look('sato', url, { 'if-none-match': etag })).statusCode).toBe(404);
  });

  it('[R2.11.1] A new picture of a stream replaces the previous one on the disk, and a manager can remove it', async () => {
    const id = await group('絵の会');
    const first = await given('tanaka', id, { image: picture });
    const disk = kept().length;
    const second = await given('tanaka', id, { image: png(32, 32, () => [1, 2, 3] as const) });
    expect(second).not.toBe(first);
    expect((await look('tanaka', first ?? '')).statusCode).toBe(404);
    expect(kept()).toHaveLength(disk);
    expect(await given('tanaka', id, { picture: 'none' })).toBeNull();
    expect(kept()).toHaveLength(disk - 1);
    expect(await shownTo('sato', id)).toBeNull();
  });

  it('[R2.11.1] Subscribers who do not manage a stream cannot set its picture, and a missing stream cannot get one', async () => {
    const id = await group('人の会');
    const before = kept();
    for (const [name, streamId] of [
      ['sato', id],
      ['suzuki', id],
      ['tanaka', 987_654],
    ] as const) {
      const answer = await give(name, streamId, { image: picture });
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'UNAUTHORIZED_PRINCIPAL' }]);
    }
    expect(kept()).toEqual(before);
    expect(await given('takahashi.koichi', id, { image: picture }), 'administrators may').toContain('/picture/');
  });

  it("[R5.2] A stream's picture is refused with the specified texts for its type and size", async () => {
    const id = await group('画像の会');
    const before = kept();
    const pdf = await give('tanaka', id, { image: Buffer.from('%PDF-1.7 nothing to see') });
    expect([pdf.statusCode, pdf.json()]).toMatchObject([400, { msg: imageRefusals.type }]);
    const large = Buffer.concat([picture, Buffer.alloc(maxImageBytes)]);
    const answer = await give('tanaka', id, { image: large });
    expect([answer.statusCode, answer.json()]).toMatchObject([413, { msg: imageRefusals.size }]);
    expect([kept(), await shownTo('tanaka', id)]).toEqual([before, null]);
    expect(readdirSync(join(product.dataDirectory, 'stream-pictures', 'arriving'))).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string | Buffer>>]>([
    ["Missing 'picture' argument", {}],
    ["Bad value for 'picture': built-in:1", { picture: 'built-in:1' }],
    ["Can't decide between 'picture' and 'image' arguments", { picture: 'none', image: picture }],
  ])("A stream's picture is refused with “%s”", async (msg, form) => {
    const id = await streamOf('tanaka', '写真の会');
    const before = kept();
    expect((await give('tanaka', id, form)).json()).toMatchObject({ msg });
    expect(kept()).toEqual(before);
  });

  it("A stream's picture is returned only to callers with a session", async () => {
    const id = await streamOf('tanaka', '写真の会');
    const post = { method: 'POST', url: `/api/streams/${id}/picture`, headers: { host } } as const;
    const headers = { host, 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await product.app.inject({ ...post, headers, payload: '--x--\r\n' });
    expect(answer.statusCode).toBe(401);
    const url = await shownTo('tanaka', id);
    expect((await product.app.inject({ url: url ?? '', headers: { host } })).statusCode).toBe(401);
  });
});

describe('stream of a department', () => {
  const owner = 'takahashi.koichi';
  const department = 'プロダクト開発部';

  it('[R2.11.4] Nobody can rename or archive the stream of a department, not even administrators', async () => {
    const stream_id = await streamOf(owner, department);
    await expect(product.call(owner, updateStream, { stream_id, new_name: '開発' })).rejects.toThrow(/bound/);
    await expect(product.call(owner, deleteStream, { stream_id })).rejects.toThrow(/bound/);
  });

  it('[R2.11.1] Members of a department or of one below it cannot leave its stream', async () => {
    for (const name of [department, '開発本部', '株式会社 縁側']) {
      await expect(product.call('tanaka', unsubscribe, { subscriptions: [name] })).rejects.toThrow(/bound/);
    }
    const left = await product.call('murakami', unsubscribe, { subscriptions: ['株式会社 縁側'] });
    expect(left, 'a guest belongs to none').toMatchObject({ removed: ['株式会社 縁側'] });
  });
});
