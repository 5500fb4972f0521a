import { type Connection, connect } from '@engawa/client';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { cookieFrom, fromOwnPage, type RunningProduct } from './product.ts';

/** A browser of a member of the test server `zulip`, at a product in front of it. */
export interface ZulipBrowser {
  readonly cookie: string;
  readonly connection: Connection;
  /** A request from the product's own page. */
  ask(method: 'GET' | 'HEAD' | 'POST' | 'DELETE', url: string, options?: Pick<InjectOptions, 'headers' | 'payload'>): Asked;
  /** Posts a multipart form. */
  post(url: string, form: FormData): Asked;
}

type Asked = Promise<LightMyRequestResponse>;

/** @param name of the demo organisation, such as `tanaka`. */
export async function zulipBrowserOf(name: string, { app, address }: RunningProduct): Promise<ZulipBrowser> {
  const payload = { email: `${name}@engawa.example`, password: 'demo' };
  const answer = await app.inject({ method: 'POST', url: '/api/session', headers: { host: 'localhost' }, payload });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  const cookie = cookieFrom(answer.headers['set-cookie']);
  const ask: ZulipBrowser['ask'] = (method, url, { headers = {}, ...options } = {}) =>
    app.inject({ method, url, headers: { host: 'localhost', cookie, ...fromOwnPage, ...headers }, ...options });
  return {
    cookie,
    connection: connect({ realm: address, headers: { cookie, ...fromOwnPage } }),
    ask,
    async post(url, form) {
      const body = new Response(form);
      const content = Buffer.from(await body.arrayBuffer());
      return ask('POST', url, { headers: { 'content-type': body.headers.get('content-type') ?? '' }, payload: content });
    },
  };
}
