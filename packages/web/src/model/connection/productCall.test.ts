import { ApiError, connect, MalformedAnswerError, systemClock } from '@engawa/client';
import { expect, it } from 'vitest';
import { z } from 'zod/mini';
import { askProduct, type ProductCall } from './productCall.ts';

const site = 'http://engawa.example';
const answer = z.object({ rows: z.int() });

/** Answers one request and records it. */
function product(status: number, said: object) {
  const asked: { readonly url: string; readonly init: RequestInit | undefined }[] = [];
  const fetch = (url: RequestInfo | URL, init?: RequestInit) => {
    asked.push({ url: url instanceof Request ? url.url : String(url), init });
    return Promise.resolve(new Response(JSON.stringify(said), { status }));
  };
  const connection = connect({ realm: site, headers: { 'engawa-member': '7' } });
  const asking = { connection, environment: { site, fetch, clock: systemClock }, stop: new AbortController().signal };
  return { asked, ask: (call: ProductCall<z.output<typeof answer>>) => askProduct(asking, call) };
}

it('[I7.2] askProduct authenticates as the signed-in member and sends its body as JSON', async () => {
  const { asked, ask } = product(200, { result: 'success', rows: 2 });
  expect(await ask({ method: 'PATCH', path: '/api/x?y=1', body: { name: '縁側' }, answer })).toEqual({ answer: { rows: 2 } });
  expect(asked[0]?.url).toBe(`${site}/api/x?y=1`);
  expect(asked[0]?.init).toMatchObject({
    method: 'PATCH',
    body: '{"name":"縁側"}',
    credentials: 'same-origin',
    headers: { 'engawa-member': '7', 'content-type': 'application/json' },
  });
});

it('[I7.3] askProduct sends a file unchanged, not as JSON', async () => {
  const { asked, ask } = product(200, { rows: 0 });
  const file = new Blob(['氏名']);
  await ask({ method: 'POST', path: '/api/x', body: file, answer });
  expect(asked[0]?.init).toMatchObject({ body: file, headers: { 'content-type': 'application/octet-stream' } });
});

it('[I7.2] askProduct throws the server’s error code, and rejects an answer that is not well-formed', async () => {
  const refusing = product(400, { result: 'error', msg: 'The email is in use already.', code: 'EMAIL_IN_USE' });
  const refusal = await refusing.ask({ method: 'GET', path: '/api/x', answer }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ApiError);
  expect(refusal).toMatchObject({ status: 400, code: 'EMAIL_IN_USE' });
  await expect(product(200, { rows: 'two' }).ask({ method: 'GET', path: '/api/x', answer })).rejects.toThrow(
    MalformedAnswerError,
  );
});
