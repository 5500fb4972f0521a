/** A web server in the place of Zulip, for what a real one does only when it fails. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Upstream {
  readonly site: string;
  readonly received: Received[];
  /** Answers `METHOD /path`, without the query. */
  on(call: string, answer: Answer): void;
  close(): Promise<void>;
}

type Answer = (response: ServerResponse, request: Received) => void;

export const json =
  (body: object, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

export const success = (fields: object): Answer => json({ result: 'success', msg: '', ...fields });

export const failure = (status: number, code: string, msg: string, headers?: Readonly<Record<string, string>>): Answer =>
  json({ result: 'error', msg, code }, status, headers);

export const page =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('<!doctype html><h1>Zulip</h1>');
  };

export const apiKey = 'abcdefghijklmnopqrstuvwxyz012345';

/** As Zulip answers at feature level 218. */
const usual: Readonly<Record<string, Answer>> = {
  'GET /api/v1/server_settings': success({
    authentication_methods: { password: true },
    external_authentication_methods: [],
    zulip_version: '8.0-dev+git',
    zulip_feature_level: 218,
    push_notifications_enabled: false,
    is_incompatible: false,
    realm_name: '株式会社 庭',
  }),
  'POST /api/v1/fetch_api_key': success({ api_key: apiKey, email: 'hanako@niwa.example', user_id: 10 }),
  'GET /api/v1/users/me': success({
    user_id: 10,
    email: 'user10@zulip.niwa.example',
    delivery_email: 'hanako@niwa.example',
    full_name: '庭野 花子',
    role: 400,
    timezone: '',
    avatar_url: 'https://secure.gravatar.com/avatar/0?d=identicon&version=1',
    is_admin: false,
    is_owner: false,
    is_guest: false,
    is_bot: false,
    is_active: true,
    date_joined: '2026-01-01T00:00:00+00:00',
    avatar_version: 1,
  }),
};

export async function runUpstream(): Promise<Upstream> {
  const answers = new Map(Object.entries(usual));
  const received: Received[] = [];
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = request;
    const arrived = { method, url, headers, body: (await buffer(request)).toString() };
    received.push(arrived);
    (answers.get(`${method} ${url.split('?', 1).join('')}`) ?? page(404))(response, arrived);
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => void server.close(resolve));
  };
  onTestFinished(close);
  return {
    site: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    received,
    on: (call, given) => void answers.set(call, given),
    close,
  };
}
