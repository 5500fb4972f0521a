import { request } from 'node:http';
import { getEvents, registerQueue, sendMessage } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { fromOwnPage, runProduct, runProductForFile } from '../testing/product.ts';

const product = await runProductForFile();
const host = 'localhost';
const authorization = await product.basicOf('tanaka');
const cookie = await product.cookieOf('tanaka');
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const call = (method: 'HEAD' | 'OPTIONS' | 'PUT', path: string) =>
  product.app.inject({ method, url: `/api/v1${path}`, headers: { host, authorization } });
const ownUser = (headers: Record<string, string>) =>
  product.app.inject({ url: '/api/v1/users/me', headers: { host, ...headers } });
const toOwnStream = (content: string) => ({ type: 'stream', to: 'プロダクト開発部', topic: 'stream events', content });

describe('a call of the chat API', () => {
  it('[R6.2] is made with Basic', async () => {
    const answer = await ownUser({ authorization });
    expect(answer.json()).toMatchObject({ result: 'success', email: 'tanaka@engawa.example' });
  });

  it('[R3.5] is made with the session, without a key in the browser', async () => {
    const answer = await ownUser({ cookie });
    expect(answer.json()).toMatchObject({ result: 'success', email: 'tanaka@engawa.example' });
  });

  it('is judged by Basic alone when both are there', async () => {
    const other = await product.basicOf('sato');
    const right = await ownUser({ cookie, authorization: other });
    expect(right.json()).toMatchObject({ email: 'sato@engawa.example' });
    const wrong = await ownUser({ cookie, authorization: 'Basic eDp5' });
    expect(wrong.statusCode).toBe(401);
  });

  it('opens no dialog of the browser: a 401 challenges only those who sent credentials', async () => {
    const without = await ownUser({});
    expect([without.statusCode, without.headers['www-authenticate']]).toEqual([401, undefined]);
    const ended = await ownUser({ cookie: `engawa_session=${'x'.repeat(43)}` });
    expect([ended.statusCode, ended.headers['www-authenticate']]).toEqual([401, undefined]);
    const wrong = await ownUser({ authorization: 'Basic eDp5' });
    expect([wrong.statusCode, wrong.headers['www-authenticate']]).toEqual([401, 'Basic realm="zulip"']);
  });

  it('[R7.5] goes through with its query, its form and its method', async () => {
    const sent = await product.app.inject({
      method: 'POST',
      url: '/api/v1/messages',
      headers: { host, cookie, ...fromOwnPage, ...form },
      payload: new URLSearchParams(toOwnStream('こんにちは')).toString(),
    });
    const { id } = sendMessage.answer.parse(sent.json());
    const query = new URLSearchParams({ anchor: String(id), num_before: '0', num_after: '0', apply_markdown: 'false' });
    const read = await product.app.inject({ url: `/api/v1/messages?${query}`, headers: { host, authorization } });
    expect(read.json()).toMatchObject({ messages: [{ id, content: 'こんにちは' }] });
  });

  it('answers HEAD, OPTIONS, a wrong method and an unknown call as the chat server does', async () => {
    const head = await call('HEAD', '/users/me');
    expect([head.statusCode, head.body, Number(head.headers['content-length']) > 100]).toEqual([200, '', true]);
    const options = await call('OPTIONS', '/users/me');
    expect([options.statusCode, options.headers.allow]).toEqual([204, 'GET']);
    const wrong = await call('PUT', '/users/me');
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET']);
    expect((await call('PUT', '/nowhere')).json()).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
  });

  it.each([
    ['of a type that the API does not know', { 'content-type': 'text/plain' }, 415],
    ['of a type that is no type', { 'content-type': 'nonsense' }, 415],
    ['that is not the form that it says', { 'content-type': 'multipart/form-data; boundary=x' }, 400],
  ])('is refused in the API\'s form with a body %s', async (_, headers, status) => {
    const answer = await product.app.inject({
      method: 'POST', url: '/api/v1/messages', headers: { host, authorization, ...headers }, payload: 'engawa-file,x',
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { result: 'error' }]);
  });

  it.each([['with', true], ['without', false]])(
    'is refused over 1 MiB, %s a Content-Length, and the connection goes on',
    async (_, sized) => {
      const body = Buffer.alloc(3 * 1024 * 1024, 'a');
      const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const headers = { authorization, ...form, ...(sized ? { 'content-length': body.length } : {}) };
        const sent = request(`${product.address}/api/v1/messages`, { method: 'POST', headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => { text += chunk; });
          response.on('end', () => resolve({ status: response.statusCode, text }));
        });
        sent.on('error', reject);
        for (let at = 0; at < body.length; at += 65_536) sent.write(body.subarray(at, at + 65_536));
        sent.end();
      });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toMatchObject({ result: 'error', code: 'PAYLOAD_TOO_LARGE' });
    },
  );

  it('waits, and is answered when something happens', async () => {
    const { queue_id, last_event_id } = await product.call('suzuki', registerQueue, { event_types: ['message'] });
    const poll = product.call('suzuki', getEvents, { queue_id, last_event_id });
    await product.call('tanaka', sendMessage, toOwnStream('届きますか'));
    expect((await poll).events).toMatchObject([{ type: 'message', message: { content: '届きますか' } }]);
  });
});

describe('closing', () => {
  it('answers the polls that wait', async () => {
    const closing = await runProduct();
    const { queue_id, last_event_id } = await closing.call('suzuki', registerQueue, { event_types: ['message'] });
    const poll = closing.call('suzuki', getEvents, { queue_id, last_event_id });
    await new Promise((resolve) => { setTimeout(resolve, 100); });
    await closing.close();
    expect((await poll).events).toEqual([]);
    expect(closing.log).toEqual([]);
  });
});
