/**
 * R3.5: makes every call of accounts and administration, valid and invalid, and looks for secrets in everything that is
 * written.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join as joinPath } from 'node:path';
import { setImmediate as written } from 'node:timers/promises';
import { accountPaths, apiKeys } from '@engawa/protocol/accounts';
import {
  administrationPaths,
  importLines,
  importPreview,
  invitations,
  createdDepartment,
  createdMember,
  sentInvitations,
  sentLink,
} from '@engawa/protocol/administration';
import { ownSessions } from '@engawa/protocol/sessions';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sendToRunningProduct } from '../operator/socket.ts';
import { logToStderr } from '../log/log.ts';
import { routesOf } from '../permissions/routesOf.ts';
import { ask, type Caller, passwordOf, program, tokenIn, withPasswords } from '../testing/accounts.ts';
import { runMailServer } from '../testing/mailServer.ts';
import { cookieFrom, fromOwnPage, owner, type RunningProduct, runProduct } from '../testing/product.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface RecordedRequest {
  readonly at?: string | number;
  readonly query?: string;
  readonly json?: object;
  readonly bytes?: Uint8Array;
}

/** Records all requests to a product and all its answers. */
function recorder(product: RunningProduct) {
  const asked = new Set<string>();
  const answers: { readonly status: number; readonly text: string }[] = [];
  const note = (
    call: string,
    { statusCode: status, body: text, headers }: { statusCode: number; body: string; headers: object },
  ) => {
    asked.add(call);
    // Only the Set-Cookie header may contain a session's cookie.
    answers.push({ status, text: text + JSON.stringify({ ...headers, 'set-cookie': undefined }) });
  };
  return {
    asked,
    answers,
    /** @param call for example `GET /api/keys/:id`; `at` replaces `:id`. */
    async call(call: `${Method} ${string}`, { at = '', query = '', json, bytes, ...caller }: Caller & RecordedRequest = {}) {
      const space = call.indexOf(' ');
      const url = call.slice(space + 1).replace(/:\w+/, String(at));
      const answer = await ask(product, methodOf(call), url + query, json ?? bytes, caller);
      note(call, answer);
      return answer;
    },
    /** Sends a malformed body. */
    async send(call: `${Method} ${string}`, type: string, payload: string) {
      const url = call.slice(call.indexOf(' ') + 1);
      const headers = { host: 'localhost', ...fromOwnPage, 'content-type': type };
      note(call, await product.app.inject({ method: methodOf(call), url, headers, payload }));
    },
  };
}

const methodOf = (call: string) =>
  (['GET', 'POST', 'PATCH', 'DELETE'] as const).find((each) => call.startsWith(`${each} `)) ?? 'GET';

/** Everything that the process prints. */
function printing(): readonly string[] {
  const printed: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((chunk) => printed.push(String(chunk)) > 0);
    onTestFinished(() => spy.mockRestore());
  }
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const spy = vi
      .spyOn(console, method)
      .mockImplementation((...said: unknown[]) => void printed.push(said.map(String).join(' ')));
    onTestFinished(() => spy.mockRestore());
  }
  return printed;
}

/** Sends malformed text to the operator socket. */
async function shout({ dataDirectory }: RunningProduct, line: string): Promise<void> {
  const socket = connect(joinPath(dataDirectory, 'engawa.sock'));
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.on('error', () => undefined);
  socket.resume();
  socket.end(line);
  await closed;
}

const filesOf = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(joinPath(entry.parentPath, entry.name)).toString('latin1'));

/** The forms in which a secret may appear. */
const formsOf = (secret: string): string[] =>
  [secret, secret.normalize('NFKC')].flatMap((form) => [
    form,
    Buffer.from(form).toString('latin1'),
    Buffer.from(form).toString('base64'),
    encodeURIComponent(form),
  ]);

/** @returns the names of the secrets in a text. */
function heldIn(text: string, secrets: ReadonlyMap<string, string>): string[] {
  return [...secrets].filter(([, secret]) => formsOf(secret).some((form) => text.includes(form))).map(([name]) => name);
}

const sato = 'sato@niwa.example';
const fujita = 'fujita@niwa.example';
const wrong = 'まちがいの合言葉です';
const next = 'つぎの合言葉は雪見灯籠';
const last = 'さいごの合言葉は鹿威し';

it('[R3.5] Log, output, error answers and files contain no password, token, API key, cookie or setup code', async () => {
  const post = await runMailServer();
  const printed = printing();
  const product = await runProduct({
    ...withPasswords,
    LOG_LEVEL: 'debug',
    SMTP_URL: post.url,
    PUBLIC_URL: 'http://localhost',
    MAIL_FROM: '縁側 <engawa@niwa.example>',
  });
  onTestFinished(() => product.close());
  const { call, send, asked, answers } = recorder(product);
  /** By a readable name. */
  const passwords = new Map([
    ['the owner’s password', owner.password],
    ['佐藤’s password', passwordOf(sato)],
    ['藤田’s password', passwordOf(fujita)],
    ['a wrong password', wrong],
    ['the next password', next],
    ['the last password', last],
    ['the password of the mail server', 'himitsu-no-kagi'],
    ['a wrong code', 'WRNG-WRNG-WRNG-WRNG'],
    ['the setup’s code', product.setupCode ?? '-'],
  ]);
  /** Secrets that one answer must contain. */
  const links = new Map<string, string>();
  const given = new Map<string, string>();
  const linkOf = (name: string, link: string) => {
    links.set(`the token of ${name}`, tokenIn(link));
    return tokenIn(link);
  };
  const cookieOf = (name: string, answer: { readonly headers: { readonly 'set-cookie'?: string | string[] | undefined } }) => {
    const cookie = cookieFrom(answer.headers['set-cookie']);
    given.set(`the cookie of ${name}`, cookie.slice(cookie.indexOf('=') + 1));
    given.set(`the device of ${name}`, cookieFrom(answer.headers['set-cookie'], 'engawa_device').slice('engawa_device='.length));
    return cookie;
  };

  // Setup.
  await call('POST /api/setup', { json: { ...owner, code: 'WRNG-WRNG-WRNG-WRNG' } });
  await call('POST /api/setup', { json: { ...owner, code: product.setupCode, password: [owner.password] } });
  await call('POST /api/setup', { json: { ...owner, code: product.setupCode, email: owner.password } });
  const cookie = cookieOf('the setup', await call('POST /api/setup', { json: { ...owner, code: product.setupCode } }));
  await call('POST /api/setup', { json: { ...owner, code: product.setupCode } });
  await call('GET /api/session', { cookie });
  const tampered = `${cookie}x`;
  given.set('an invalid cookie', tampered.slice(tampered.indexOf('=') + 1));
  await call('GET /api/sessions', { cookie: tampered });

  // Invitations.
  const invited = async (email: string) =>
    linkOf(
      `the invitation of ${email}`,
      sentInvitations.parse((await call('POST /api/administration/invitations', { cookie, json: { emails: [email] } })).json())
        .sent[0]?.link ?? '',
    );
  const token = await invited(sato);
  await call('POST /api/invitation', { json: { token } });
  await call('POST /api/invitation', { json: { token: `${token}x` } });
  await call('POST /api/invitation', { json: { token: [token] } });
  const accepting = { token, name: '佐藤 花子', reading: '' };
  await call('POST /api/invitation/accept', { json: { ...accepting, password: sato } });
  await call('POST /api/invitation/accept', { json: { ...accepting, name: '', password: passwordOf(sato) } });
  await call('POST /api/invitation/accept', { json: { ...accepting, name: [passwordOf(sato)], password: passwordOf(sato) } });
  const joined = cookieOf(
    '佐藤',
    await call('POST /api/invitation/accept', { json: { ...accepting, password: passwordOf(sato) } }),
  );
  await call('POST /api/invitation/accept', { json: { ...accepting, password: passwordOf(sato) } });
  post.answer = '550 himitsu-no-kagi is not welcome';
  await invited('later@niwa.example');
  post.answer = undefined;
  const held = await call('GET /api/administration/invitations', { cookie });
  const [{ id: heldId } = { id: 0 }] = invitations.parse(held.json()).invitations;
  await call('DELETE /api/administration/invitations/:id', { cookie, at: heldId });
  await call('DELETE /api/administration/invitations/:id', { cookie, at: token });

  // Sign-in, valid and invalid.
  await call('POST /api/session', { json: { email: sato, password: wrong } });
  await call('POST /api/session', { json: { email: wrong, password: wrong } });
  await call('POST /api/session', { json: { email: [wrong], password: { wrong } } });
  await send('POST /api/session', 'application/json', `{"email":"${sato}","password":"${wrong}`);
  await send('POST /api/session', 'application/json', wrong);
  await send('POST /api/session', 'text/plain', wrong);
  await send('POST /api/session', `application/${encodeURIComponent(wrong)}`, wrong);
  const second = cookieOf(
    '佐藤’s second browser',
    await call('POST /api/session', { json: { email: sato, password: passwordOf(sato) } }),
  );
  const own = await program(product, sato, passwordOf(sato));
  given.set('佐藤’s key', own.apiKey ?? '-');
  const basic = (key: string) => `Basic ${Buffer.from(`${sato}:${key}`).toString('base64')}`;
  given.set('佐藤’s key as it is sent', basic(own.apiKey ?? '').slice('Basic '.length));
  await call('GET /api/keys', { authorization: basic(wrong) });
  await call('GET /api/keys', { authorization: own.apiKey });
  await product.app.inject({
    url: `/api/keys?api_key=${own.apiKey}&password=${encodeURIComponent(wrong)}`,
    headers: { host: 'localhost' },
  });
  await product.app.inject({ url: `/password/${token}`, headers: { host: 'localhost' } });
  await product.app.inject({ url: `/api/nothing/${own.apiKey}`, headers: { host: 'localhost' } });

  // Passwords.
  await call('POST /api/password', { cookie: joined, json: { current: wrong, password: next } });
  await call('POST /api/password', { cookie: joined, json: { current: passwordOf(sato), password: 'short' } });
  await call('POST /api/password', { cookie: joined, json: { current: [passwordOf(sato)], password: next } });
  await call('POST /api/password', { cookie: joined, json: { current: passwordOf(sato), password: next } });
  const letters = post.mails.length;
  await call('POST /api/password/forgotten', { json: { email: sato } });
  await call('POST /api/password/forgotten', { json: { email: [wrong] } });
  await vi.waitFor(() => expect(post.mails.length).toBe(letters + 1));
  const mailed = /http:\/\/localhost\/#\/password\/[\w-]{43}/.exec(post.mails.at(-1)?.text ?? '')?.[0] ?? '';
  const reset = linkOf('a forgotten password', mailed);
  expect(reset).toHaveLength(43);
  await call('POST /api/password/link', { json: { token: reset } });
  await call('POST /api/password/link', { json: { token: { reset } } });
  await call('POST /api/password/reset', { json: { token: [reset], password: last } });
  await call('POST /api/password/reset', { json: { token: reset, password: [last] } });
  const third = cookieOf(
    '佐藤’s third browser',
    await call('POST /api/password/reset', { json: { token: reset, password: last } }),
  );
  await call('POST /api/password/reset', { json: { token: reset, password: last } });

  // API keys.
  const later = await program(product, sato, last);
  given.set('佐藤’s later key', later.apiKey ?? '-');
  const listed = apiKeys.parse((await call('GET /api/keys', { cookie: third })).json());
  await call('DELETE /api/keys/:id', { cookie: third, at: listed.keys[0]?.id ?? 0 });
  await call('DELETE /api/keys/:id', { cookie: third, at: later.apiKey ?? '' });
  await call('DELETE /api/keys', { cookie: third });
  const { sessions } = ownSessions.parse((await call('GET /api/sessions', { cookie: third })).json());
  await call('DELETE /api/sessions/:id', { cookie: third, at: sessions[0]?.id ?? '' });
  await call('DELETE /api/sessions/:id', { cookie, at: second.slice(second.indexOf('=') + 1) });
  await call('DELETE /api/sessions', { cookie });
  await call('GET /logout', { cookie: third });
  await call('POST /logout', { cookie: joined });

  await administer(call, { cookie, linkOf, sato });

  // Operator commands.
  const operator = async (request: Parameters<typeof sendToRunningProduct>[1]) => {
    const { lines = [] } = (await sendToRunningProduct(product.dataDirectory, request)) ?? {};
    for (const line of lines.filter((each) => each.startsWith('http'))) linkOf(`the command ${request.command}`, line);
    return lines;
  };
  const made = await operator({ command: 'user create', email: fujita, name: '藤田 守', role: 'member', departments: [] });
  await call('POST /api/password/reset', { json: { token: tokenIn(made[1] ?? ''), password: passwordOf(fujita) } });
  await operator({ command: 'user create', email: fujita, name: '藤田 守', role: 'member', departments: [] });
  expect(await operator({ command: 'user reset-password', email: fujita })).toContainEqual(
    expect.stringMatching(/#\/password\//),
  );
  await operator({ command: 'user reset-password', email: wrong });
  await operator({ command: 'user list' });
  await operator({
    command: 'import',
    file: Buffer.from(`氏名,メールアドレス\r\n藤田 守,${fujita}\r\n`).toString('base64'),
    apply: true,
  });
  await shout(product, wrong);
  await shout(product, `{"command":"${wrong}"}`);
  await shout(
    product,
    JSON.stringify({ command: 'user create', email: [wrong], name: { wrong }, role: wrong, departments: wrong }),
  );

  const all = ['/api/session', '/api/sessions', '/logout', ...Object.values({ ...accountPaths, ...administrationPaths })];
  const answered = routesOf(product.app).filter((each) => all.some((path) => `${each}/`.includes(` ${path}/`)));
  expect([...asked].toSorted()).toEqual(answered.toSorted());

  const secrets = new Map([...passwords, ...links, ...given]);
  // Prints the log as production does.
  for (const event of product.log) logToStderr(event);
  await written();
  const told = printed.join('\n');
  expect(heldIn(told, secrets)).toEqual([]);
  expect(heldIn(filesOf(product.dataDirectory).join('\n'), secrets)).toEqual([]);
  for (const { status, text } of answers) {
    // Only the call that creates a link returns it.
    expect([status, text, heldIn(text, status < 400 ? new Map([...passwords, ...given]) : secrets)]).toEqual([status, text, []]);
  }

  // Proves that the search covers the data and would find secrets.
  expect(filesOf(product.dataDirectory).join('\n')).toContain('$argon2id$');
  expect(told).toContain('… is not welcome');
  expect(product.log.filter(({ event }) => event === 'call_finished').length).toBeGreaterThan(asked.size);
  expect(product.log.filter(({ event }) => event === 'command_failed')).toHaveLength(3);
  expect(heldIn(post.mails.map(({ text }) => text).join('\n'), links)).toContain(`the token of a forgotten password`);
});

/** Makes every call of the administration page, valid and with a secret in each field. */
async function administer(
  call: ReturnType<typeof recorder>['call'],
  { cookie, linkOf, sato: email }: { cookie: string; linkOf: (name: string, link: string) => string; sato: string },
): Promise<void> {
  const { members } = { members: '/api/administration/members' };
  await call(`GET ${members}`, { cookie });
  const { user_id: id, link } = createdMember.parse(
    (await call(`POST ${members}`, { cookie, json: { full_name: '新人 一郎', email: 'new@niwa.example' } })).json(),
  );
  linkOf('a new member', link?.link ?? '');
  await call(`POST ${members}`, { cookie, json: { full_name: '新人 二郎', email, password: wrong } });
  await call(`POST ${members}`, { cookie, json: { full_name: [wrong], email: wrong } });
  await call(`PATCH ${members}/:id`, { cookie, at: id, json: { title: '主任', password: wrong } });
  await call(`PATCH ${members}/:id`, { cookie, at: id, json: { title: [wrong] } });
  linkOf('a member’s reset', sentLink.parse((await call(`POST ${members}/:id/reset`, { cookie, at: id })).json()).link);
  await call(`DELETE ${members}/:id/sessions`, { cookie, at: id });

  const { departmentCd } = createdDepartment.parse(
    (await call('POST /api/administration/departments', { cookie, json: { displayName: '苔の部', parent: null } })).json(),
  );
  await call('PATCH /api/administration/departments/:code', { cookie, at: departmentCd, json: { displayName: '庭の部' } });
  await call('PATCH /api/administration/departments/:code/members', { cookie, at: departmentCd, json: { add: [id] } });
  await call('DELETE /api/administration/departments/:code', { cookie, at: departmentCd });
  await call('GET /api/administration/streams', { cookie });
  await call('GET /api/administration/hooks', { cookie });
  await call('GET /api/administration/organisation', { cookie });
  await call('PATCH /api/administration/organisation', { cookie, json: { description: '縁側の会社' } });
  await call('PATCH /api/administration/organisation', { cookie, json: { description: [wrong] } });
  await call('GET /api/administration/export', { cookie });
  await call('GET /api/administration/first-steps', { cookie });
  await call('GET /api/administration/status', { cookie });
  await call('PATCH /api/administration/first-steps', { cookie, json: { is_dismissed: wrong } });
  await call('POST /api/administration/mail-test', { cookie });

  await call('POST /api/administration/import/read', { cookie });
  const table = { header: ['氏名', 'メールアドレス'], rows: [['新人 三郎', 'third@niwa.example']] };
  const bytes = Buffer.from(importLines(table));
  const looked = await call('POST /api/administration/import/preview', { cookie, bytes });
  const { fingerprint } = importPreview.parse(looked.json());
  await call('POST /api/administration/import/apply', { cookie, query: `?fingerprint=${encodeURIComponent(wrong)}`, bytes });
  await call('POST /api/administration/import/apply', { cookie, query: `?fingerprint=${fingerprint}`, bytes });
}
