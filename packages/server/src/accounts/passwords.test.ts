import { usualPasswordCost } from '@engawa/chat-server';
import {
  deactivateUser,
  getEvents,
  getOwnUser,
  reactivateUser,
  registerQueue,
  updateSettings,
  updateUser,
} from '@engawa/protocol';
import { accountPaths, passwordLinkDetails } from '@engawa/protocol/accounts';
import { administrationPaths, createdMember, sentLink } from '@engawa/protocol/administration';
import { paths, session } from '@engawa/protocol/product';
import { describe, expect, it } from 'vitest';
import { ask, browserAddress, founded, join, memberOf, passwordOf, program, signIn, tokenIn } from '../testing/accounts.ts';
import { cookieFrom, fromOwnPage, owner, type RunningProduct } from '../testing/product.ts';

const sato = 'sato@niwa.example';
const linkNotValid = { code: 'LINK_NOT_VALID' };

async function resetLink(product: RunningProduct, cookie: string, userId: number | undefined): Promise<string> {
  const answer = await ask(product, 'POST', `${administrationPaths.members}/${userId}/reset`, undefined, { cookie });
  return tokenIn(sentLink.parse(answer.json()).link);
}
async function saveProfile(
  product: RunningProduct,
  cookie: string,
  { name, email }: { readonly name: string; readonly email: string },
) {
  const form = new FormData();
  for (const [field, value] of Object.entries({ name, email, location: '京都', avatar: 'keep' })) form.append(field, value);
  const body = new Response(form);
  const payload = Buffer.from(await body.arrayBuffer());
  const headers = { host: 'localhost', cookie, ...fromOwnPage, 'content-type': body.headers.get('content-type') ?? '' };
  return product.app.inject({ method: 'POST', url: paths.profile, headers, payload });
}
const reset = (product: RunningProduct, token: string, password = 'あたらしい合言葉') =>
  ask(product, 'POST', accountPaths.passwordReset, { token, password });

describe('[R3.5] sign-in with a password', () => {
  it('Sign-in accepts any letter case of the email and any keyboard form of the password', async () => {
    const { product } = await founded();
    const answer = await signIn(product, ` ${owner.email.toUpperCase()}`, owner.password.normalize('NFD').replace('42', '４２'));
    expect(session.parse(answer.json()).member).toMatchObject({ email: owner.email, full_name: owner.name });
    expect(answer.headers['set-cookie']).toContainEqual(expect.stringMatching(/^engawa_session=.*HttpOnly; SameSite=Lax$/));
    expect(answer.body).not.toMatch(/api_key|Basic/);
  });

  it('Sign-in gives the same answer for a wrong password, an unknown member and an invalid email', async () => {
    const { product } = await founded();
    const wrong = await signIn(product, owner.email, 'wrong');
    expect([wrong.statusCode, wrong.json()]).toMatchObject([401, { code: 'AUTHENTICATION_FAILED' }]);
    for (const email of ['nobody@niwa.example', 'nobody', '']) {
      const answer = await signIn(product, email, owner.password);
      expect([email, answer.statusCode, answer.json()]).toEqual([email, 401, wrong.json()]);
    }
    const nothing = await ask(product, 'POST', paths.session, { email: owner.email });
    expect([nothing.statusCode, nothing.json()]).toEqual([401, wrong.json()]);
    expect(nothing.headers['set-cookie']).toBeUndefined();
  });

  it('Sign-in reveals a deactivation only to a person who knows the password', async () => {
    const { product, owner: cookie } = await founded();
    const user_id = await memberOf(product, await join(product, cookie, { email: sato }));
    await (await program(product)).call(deactivateUser, { user_id: user_id ?? 0 });
    expect((await signIn(product, sato, 'wrong')).json()).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    const knows = await signIn(product, sato, passwordOf(sato));
    expect([knows.statusCode, knows.json()]).toMatchObject([401, { code: 'USER_DEACTIVATED' }]);
  });

  it('After five wrong passwords for an email from one network, the sign-in and POST /fetch_api_key refuse even the right one', async () => {
    const { product } = await founded();
    for (let times = 0; times < 5; times += 1) expect((await signIn(product, owner.email, 'wrong')).statusCode).toBe(401);
    const answer = await signIn(product, owner.email, owner.password);
    expect([answer.statusCode, answer.json()]).toMatchObject([429, { code: 'RATE_LIMIT_HIT' }]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(1000);
    const form = new URLSearchParams({ username: owner.email, password: owner.password }).toString();
    const program = await product.app.inject({
      method: 'POST',
      url: '/api/v1/fetch_api_key',
      headers: { host: 'localhost', 'content-type': 'application/x-www-form-urlencoded' },
      remoteAddress: browserAddress,
      payload: form,
    });
    expect([program.statusCode, program.json()]).toMatchObject([429, { code: 'RATE_LIMIT_HIT' }]);
  });

  it('When too many people sign in at once, the server asks some of them to retry after two seconds', async () => {
    const { product } = await founded({}, usualPasswordCost);
    const answers = await Promise.all(
      Array.from({ length: 160 }, (_, n) => signIn(product, `n${n}@niwa.example`, 'wrong', { address: `198.51.100.${n}` })),
    );
    const away = answers.filter(({ statusCode }) => statusCode === 503);
    expect(away.length).toBeGreaterThan(0);
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(answers.length - away.length);
    expect([away[0]?.json(), away[0]?.headers['retry-after']]).toMatchObject([{ code: 'RATE_LIMIT_HIT' }, '2']);
    expect((await signIn(product, owner.email, owner.password)).statusCode).toBe(200);
    expect(product.log.filter(({ event }) => event !== 'call_finished')).toEqual([]);
  }, 60_000);

  it("Signing in many times does not end the API keys of the member's programs", async () => {
    const { product } = await founded();
    const own = await program(product);
    const { user_id } = await own.call(getOwnUser, {});
    for (let times = 0; times < 21; times += 1) await signIn(product, owner.email, owner.password);
    expect((await own.call(getOwnUser, {})).user_id).toBe(user_id);
    const keys = await ask(product, 'GET', accountPaths.keys, undefined, {
      cookie: cookieFrom((await signIn(product, owner.email, owner.password)).headers['set-cookie']),
    });
    expect(keys.json()).toMatchObject({ keys: [{ id: expect.any(Number) }] });
  });
});

describe('session with its own key', () => {
  it("When a member signs out, the session ends with its own API key, and the member's programs stay connected", async () => {
    const { product, owner: cookie } = await founded();
    const registered = await ask(product, 'POST', '/api/v1/register', undefined, { cookie });
    const { queue_id, last_event_id } = registerQueue.answer.parse(registered.json());
    const polled = ask(product, 'GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`, undefined, {
      cookie,
    });
    const staying = await program(product);
    const out = await ask(product, 'POST', paths.logout, undefined, { cookie });
    expect(out.statusCode).toBe(303);
    await polled;
    expect(await memberOf(product, cookie)).toBeUndefined();
    // Only the session's own queue ended.
    const poll = staying.call(getEvents, { queue_id, last_event_id, dont_block: true });
    await expect(poll).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  it('When a member signs in again in the same browser, the new session replaces the former one and its API key', async () => {
    const { product, owner: cookie } = await founded();
    const next = cookieFrom((await signIn(product, owner.email, owner.password, { cookie })).headers['set-cookie']);
    expect([await memberOf(product, cookie), await memberOf(product, next)]).toEqual([undefined, expect.any(Number)]);
  });
});

describe('password link', () => {
  it('A password link shows its member, sets their password once, ends their other sessions, and signs them in', async () => {
    const { product, owner: cookie } = await founded();
    const before = await join(product, cookie, { email: sato, name: '佐藤 花子' });
    const own = await program(product, sato, passwordOf(sato));
    const { queue_id, last_event_id } = await own.call(registerQueue, { event_types: ['message'] });
    const waiting = settled(own.call(getEvents, { queue_id, last_event_id }));
    const token = await resetLink(product, cookie, await memberOf(product, before));
    const look = await ask(product, 'POST', accountPaths.passwordLink, { token });
    expect(passwordLinkDetails.parse(look.json())).toEqual({
      organisation: owner.organisation,
      email: sato,
      full_name: '佐藤 花子',
    });

    const answer = await reset(product, token);
    expect(session.parse(answer.json()).member).toMatchObject({ email: sato });
    expect(await memberOf(product, cookieFrom(answer.headers['set-cookie']))).toBeDefined();
    expect(await waiting).toMatchObject({ code: 'INVALID_API_KEY' });
    await expect(own.call(getOwnUser, {})).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    expect(await memberOf(product, before)).toBeUndefined();
    expect((await signIn(product, sato, passwordOf(sato))).statusCode).toBe(401);
    expect((await signIn(product, sato, 'あたらしい合言葉')).statusCode).toBe(200);
    expect((await reset(product, token)).json()).toMatchObject(linkNotValid);
  });

  it('A member whom an administrator created sets their first password by a password link', async () => {
    const { product, owner: cookie } = await founded();
    const made = await ask(product, 'POST', administrationPaths.members, { full_name: '佐藤 花子', email: sato }, { cookie });
    const { link } = createdMember.parse(made.json());
    expect(link?.link.startsWith(`${product.address}/#/password/`)).toBe(true);
    for (const password of ['', 'あたらしい合言葉']) expect((await signIn(product, sato, password)).statusCode).toBe(401);
    const answer = await reset(product, tokenIn(link?.link ?? ''));
    expect(session.parse(answer.json()).member).toMatchObject({ email: sato, full_name: '佐藤 花子' });
    expect((await signIn(product, sato, 'あたらしい合言葉')).statusCode).toBe(200);
  });

  it('When two browsers use a password link at the same time, only one of them sets the password', async () => {
    const { product, owner: cookie } = await founded();
    const token = await resetLink(product, cookie, await memberOf(product, cookie));
    const both = await Promise.all([reset(product, token, 'ひとつめの合言葉'), reset(product, token, 'ふたつめの合言葉')]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404]);
  });

  it('A password link becomes invalid when a new link replaces it, after a day, and when the member changes their password', async () => {
    const { product, owner: cookie } = await founded();
    const id = await memberOf(product, cookie);
    const first = await resetLink(product, cookie, id);
    const second = await resetLink(product, cookie, id);
    expect((await reset(product, first)).json()).toMatchObject(linkNotValid);
    product.pass(24 * 3_600_000 - 5000);
    expect((await ask(product, 'POST', accountPaths.passwordLink, { token: second })).statusCode).toBe(200);
    product.pass(5000);
    expect((await reset(product, second)).json()).toMatchObject(linkNotValid);

    const third = await resetLink(product, cookie, id);
    const change = { current: owner.password, password: '石灯籠のあかりと苔' };
    expect((await ask(product, 'POST', accountPaths.password, change, { cookie })).statusCode).toBe(200);
    expect((await reset(product, third)).json()).toMatchObject(linkNotValid);
  });

  it('A password link becomes invalid when the member is deactivated or gets another email', async () => {
    const { product, owner: cookie } = await founded();
    const theirs = await join(product, cookie, { email: sato });
    const user_id = (await memberOf(product, theirs)) ?? 0;
    const own = await program(product);
    const token = await resetLink(product, cookie, user_id);
    await own.call(deactivateUser, { user_id });
    expect((await reset(product, token)).json()).toMatchObject(linkNotValid);
    const refused = await ask(product, 'POST', `${administrationPaths.members}/${user_id}/reset`, undefined, { cookie });
    expect(refused.json()).toMatchObject({ code: 'USER_DEACTIVATED' });
    await own.call(reactivateUser, { user_id });
    expect((await reset(product, token)).json()).toMatchObject(linkNotValid);

    const next = await resetLink(product, cookie, user_id);
    await ask(product, 'PATCH', `${administrationPaths.members}/${user_id}`, { email: 'satou@niwa.example' }, { cookie });
    expect((await reset(product, next)).json()).toMatchObject(linkNotValid);
  });

  it('Members cannot change their own email, so that a stolen session or API key cannot redirect a password link', async () => {
    const { product, owner: cookie } = await founded();
    const theirs = await join(product, cookie, { email: sato });
    const msg = 'Email address changes are disabled in this organization.';
    const elsewhere = 'elsewhere@niwa.example';
    for (const [browser, email, password] of [
      [theirs, sato, passwordOf(sato)],
      [cookie, owner.email, owner.password],
    ] as const) {
      const own = await program(product, email, password);
      await expect(own.call(updateSettings, { email: elsewhere })).rejects.toMatchObject({ code: 'BAD_REQUEST', message: msg });
      const refused = await saveProfile(product, browser, { name: '別人', email: elsewhere });
      expect([refused.statusCode, refused.json()]).toMatchObject([400, { code: 'BAD_REQUEST', msg }]);
      const name = `庭野 ${browser === cookie ? '葉' : '花'}`;
      const kept = await saveProfile(product, browser, { name, email });
      expect([kept.statusCode, kept.json()]).toMatchObject([200, { name, email }]);
    }
    const user_id = await memberOf(product, theirs);
    const change = await ask(product, 'PATCH', `${administrationPaths.members}/${user_id}`, { email: elsewhere }, { cookie });
    expect(change.statusCode).toBe(200);
    expect((await signIn(product, elsewhere, passwordOf(sato))).statusCode).toBe(200);
  });

  it('A password link becomes invalid when its creator is no longer an administrator, or when the member gets a higher role', async () => {
    const { product, owner: cookie } = await founded();
    const administrator = await join(product, cookie, { email: 'admin@niwa.example', role: 200 });
    const theirs = await join(product, cookie, { email: sato });
    const user_id = (await memberOf(product, theirs)) ?? 0;
    const own = await program(product);
    const first = await resetLink(product, administrator, user_id);
    await own.call(updateUser, { user_id, role: 100 });
    const look = await ask(product, 'POST', accountPaths.passwordLink, { token: first });
    expect([look.json(), (await reset(product, first)).json()]).toMatchObject([linkNotValid, linkNotValid]);

    await own.call(updateUser, { user_id, role: 400 });
    const second = await resetLink(product, administrator, user_id);
    await own.call(deactivateUser, { user_id: (await memberOf(product, administrator)) ?? 0 });
    expect((await reset(product, second)).json()).toMatchObject(linkNotValid);
    expect((await signIn(product, sato, passwordOf(sato))).statusCode).toBe(200);
  });

  it('A password link stays valid when the server refuses the new password as too weak', async () => {
    const { product, owner: cookie } = await founded();
    const token = await resetLink(product, cookie, await memberOf(product, cookie));
    for (const weak of ['password123', 'みじかい', owner.email, 'x'.repeat(1001)]) {
      expect((await reset(product, token, weak)).json()).toMatchObject({ code: 'PASSWORD_TOO_WEAK' });
    }
    expect((await reset(product, token)).statusCode).toBe(200);
  });

  it('Administrators create password links for members, but only an owner creates one for an owner', async () => {
    const { product, owner: cookie } = await founded();
    const administrator = await join(product, cookie, { email: 'admin@niwa.example', role: 200 });
    const member = await join(product, cookie, { email: sato });
    const ids = {
      owner: await memberOf(product, cookie),
      admin: await memberOf(product, administrator),
      sato: await memberOf(product, member),
    };
    const status = async (by: string, id: number | undefined) =>
      (await ask(product, 'POST', `${administrationPaths.members}/${id}/reset`, undefined, { cookie: by })).statusCode;
    expect(await status(administrator, ids.owner)).toBe(403);
    expect(await status(administrator, ids.admin)).toBe(200);
    expect(await status(administrator, ids.sato)).toBe(200);
    expect(await status(administrator, 999)).toBe(404);
    expect(await status(member, ids.sato)).toBe(403);
    expect(await status('engawa_session=none', ids.sato)).toBe(401);
  });

  it('Many invalid tokens from a network do not keep others in it from using their password links', async () => {
    const { product, owner: cookie } = await founded();
    const token = await resetLink(product, cookie, await memberOf(product, cookie));
    const answers = await Promise.all(Array.from({ length: 40 }, () => reset(product, 'x'.repeat(43))));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([404]));
    expect((await reset(product, token)).statusCode).toBe(200);
  });
});

describe('change of the own password', () => {
  it("Changing one's password requires the current one and ends the member's other sessions and API keys", async () => {
    const { product, owner: cookie } = await founded();
    const other = cookieFrom((await signIn(product, owner.email, owner.password)).headers['set-cookie']);
    const own = await program(product);
    const change = (current: string, password = '石灯籠のあかりと苔') =>
      ask(product, 'POST', accountPaths.password, { current, password }, { cookie });
    expect((await change('wrong')).json()).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect((await change(owner.password, 'qwertyuiop')).json()).toMatchObject({ code: 'PASSWORD_TOO_WEAK' });
    expect(await memberOf(product, other)).toBeDefined();

    expect((await change(owner.password)).json()).toEqual({});
    expect([await memberOf(product, cookie), await memberOf(product, other)]).toEqual([expect.any(Number), undefined]);
    await expect(own.call(getOwnUser, {})).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    expect((await signIn(product, owner.email, owner.password)).statusCode).toBe(401);
    expect((await signIn(product, owner.email, '石灯籠のあかりと苔')).statusCode).toBe(200);
  });

  it('A password change is blocked after ten wrong entries of the current password', async () => {
    const { product, owner: cookie } = await founded();
    const change = (current: string) =>
      ask(product, 'POST', accountPaths.password, { current, password: '石灯籠のあかりと苔' }, { cookie });
    const wrong = await Promise.all(Array.from({ length: 11 }, () => change('wrong')));
    expect(wrong.map(({ statusCode }) => statusCode)).toEqual([...Array(10).fill(401), 429]);
    expect((await change(owner.password)).statusCode).toBe(429);
  });

  it('When a member changes the password twice at the same time, only one change succeeds', async () => {
    const { product, owner: cookie } = await founded();
    const change = (password: string) =>
      ask(product, 'POST', accountPaths.password, { current: owner.password, password }, { cookie });
    const both = await Promise.all([change('石灯籠のあかりと苔'), change('鹿おどしの音色と風')]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401]);
  });
});

const keysOf = async (product: RunningProduct, cookie: string) => {
  const answer = await ask(product, 'GET', accountPaths.keys, undefined, { cookie });
  return answer.json<{ keys: { id: number; created: number; last_used: number | null }[] }>().keys;
};

describe('API keys', () => {
  it("A member sees their own programs' API keys with their last use", async () => {
    const { product, owner: cookie } = await founded();
    expect(await keysOf(product, cookie)).toEqual([]);
    const first = await program(product);
    await program(product);
    const now = Math.floor(Date.now() / 1000);
    await first.call(getOwnUser, {});
    const [second, used] = await keysOf(product, cookie);
    expect(second?.last_used).toBeNull();
    expect(used?.last_used).toBeGreaterThanOrEqual(now);
    expect(used?.created).toBeLessThanOrEqual(now);
  });

  it('A member ends one or all of their API keys, and polls that wait with an ended key are answered', async () => {
    const { product, owner: cookie } = await founded();
    const [first, second] = [await program(product), await program(product)];
    const { queue_id, last_event_id } = await first.call(registerQueue, { event_types: ['message'] });
    const waiting = settled(first.call(getEvents, { queue_id, last_event_id }));
    const oldest = (await keysOf(product, cookie)).at(-1)?.id;
    const stranger = await join(product, cookie, { email: sato });
    const end = (id: number | undefined, by: string) =>
      ask(product, 'DELETE', `${accountPaths.keys}/${id}`, undefined, { cookie: by });
    expect((await end(oldest, stranger)).statusCode).toBe(404);
    expect((await end(oldest, cookie)).json()).toEqual({});
    expect((await end(oldest, cookie)).statusCode).toBe(404);
    expect(await waiting).toMatchObject({ code: 'INVALID_API_KEY' });
    await second.call(getOwnUser, {});

    expect((await ask(product, 'DELETE', accountPaths.keys, undefined, { cookie })).json()).toEqual({});
    await expect(second.call(getOwnUser, {})).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    expect(await memberOf(product, cookie)).toBeDefined();
  });
});

it('An administrator can sign a member out everywhere unless the member outranks them', async () => {
  const { product, owner: cookie } = await founded();
  const administrator = await join(product, cookie, { email: 'admin@niwa.example', role: 200 });
  const theirs = await join(product, cookie, { email: sato });
  const own = await program(product, sato, passwordOf(sato));
  const end = async (id: number | undefined, by: string) =>
    (await ask(product, 'DELETE', `${administrationPaths.members}/${id}/sessions`, undefined, { cookie: by })).statusCode;
  expect(await end(await memberOf(product, cookie), administrator)).toBe(403);
  expect(await end(await memberOf(product, theirs), theirs)).toBe(403);
  expect(await end(await memberOf(product, theirs), administrator)).toBe(200);
  expect(await memberOf(product, theirs)).toBeUndefined();
  await expect(own.call(getOwnUser, {})).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
});

/** Catches the refusal even if it arrives before it is awaited. */
function settled(call: Promise<unknown>): Promise<unknown> {
  return call.catch((error: unknown) => error);
}
