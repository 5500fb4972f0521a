/** What a real server (8.0-dev, feature level 218) lacks, refuses and ignores, measured: the double must not be kinder. */
import { connect, fetchApiKey } from '@engawa/client';
import { afterAll, describe, expect, it } from 'vitest';
import { type Fields, fieldsOf } from './fields.ts';
import { startZulip } from './zulip.ts';

const zulip = await startZulip();
afterAll(() => zulip.close());

type Form = Readonly<Record<string, string>>;

async function signIn(name: string, at = zulip) {
  const { api_key, email } = await fetchApiKey(connect({ realm: at.url }), {
    username: `${name}@engawa.example`,
    password: 'demo',
  });
  const authorization = `Basic ${Buffer.from(`${email}:${api_key}`).toString('base64')}`;
  return async (call: string, form: Form = {}, headers: Form = {}) => {
    const [method = '', path = ''] = call.split(' ');
    const isInQuery = method === 'GET' || method === 'DELETE';
    const url = `${at.url}/api/v1${path}${isInQuery ? `?${String(new URLSearchParams(form))}` : ''}`;
    const body = isInQuery ? {} : { body: new URLSearchParams(form) };
    const response = await fetch(url, { method, headers: { authorization, ...headers }, ...body });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, fields: text.startsWith('{') ? fieldsOf(text) : {} };
  };
}

const tanaka = await signIn('tanaka');

const narrow = (...terms: readonly Fields[]) => ({
  anchor: 'newest',
  num_before: '3',
  num_after: '0',
  narrow: JSON.stringify(terms),
});

describe('refused calls', () => {
  const refused: readonly (readonly [call: string, form: Form, answer: Fields])[] = [
    [
      'POST /register',
      { client_capabilities: '{"stream_typing_notifications":true}' },
      { msg: 'notification_settings_null key is missing from client_capabilities', code: 'BAD_REQUEST' },
    ],
    [
      'POST /register',
      { client_capabilities: '{"notification_settings_null":true}' },
      { msg: 'bulk_message_deletion key is missing from client_capabilities', code: 'BAD_REQUEST' },
    ],
    [
      'GET /messages',
      { anchor: 'date', anchor_date: '2026-11-24T01:52:41.349Z', num_before: '3', num_after: '0' },
      { msg: 'Invalid anchor', code: 'BAD_REQUEST' },
    ],
    ['GET /messages', narrow({ operator: 'in', operand: 'own' }), { desc: "unknown 'in' operand own", code: 'BAD_NARROW' }],
    [
      'GET /messages',
      narrow({ operator: 'channel', operand: '雑談・縁側' }),
      { msg: 'Invalid narrow operator: unknown operator channel', code: 'BAD_NARROW' },
    ],
    [
      'GET /messages',
      narrow({ operator: 'search', operand: ' ' }),
      { msg: 'elem["operand"] cannot be blank.', code: 'BAD_REQUEST' },
    ],
  ];

  it.each(refused)('A real server refuses %s with %j', async (call, form, answer) => {
    const { status, fields } = await tanaka(call, form);
    expect({ status, ...fields }).toMatchObject({ status: 400, result: 'error', ...answer });
  });
});
