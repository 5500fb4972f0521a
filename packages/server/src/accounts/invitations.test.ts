import { deactivateUser, getOwnUser, getSubscriptions, updateUser } from '@engawa/protocol';
import { accountPaths, invitationDetails } from '@engawa/protocol/accounts';
import { administrationPaths, invitations, maxInvitationsPerCall, sentInvitations } from '@engawa/protocol/administration';
import { departmentTree, paths, session } from '@engawa/protocol/product';
import { describe, expect, it } from 'vitest';
import { ask, founded, invite, join, memberOf, passwordOf, program, signIn, tokenIn } from '../testing/accounts.ts';
import { cookieFrom, owner, type RunningProduct, runProduct } from '../testing/product.ts';

const sato = 'sato@niwa.example';
const accept = (product: RunningProduct, token: string, change: object = {}) =>
  ask(product, 'POST', accountPaths.acceptInvitation, {
    token,
    name: '佐藤 花子',
    reading: 'さとう はなこ',
    password: passwordOf(sato),
    ...change,
  });
const listed = async (product: RunningProduct, cookie: string) => {
  const answer = await ask(product, 'GET', administrationPaths.invitations, undefined, { cookie });
  return invitations.parse(answer.json()).invitations;
};
const inviteAll = (product: RunningProduct, cookie: string, asked: object) =>
  ask(product, 'POST', administrationPaths.invitations, asked, { cookie });
/** The status and why the call or its only address was refused. */
const invited = async (
  product: RunningProduct,
  cookie: string,
  { email, ...terms }: { email: string; [term: string]: unknown },
) => {
  const answer = await inviteAll(product, cookie, { emails: [email], ...terms });
  if (answer.statusCode !== 200) return [answer.statusCode, answer.json<{ code?: string }>().code];
  return [200, sentInvitations.parse(answer.json()).refused[0]?.code];
};
const linkNotValid = { code: 'LINK_NOT_VALID' };

/** The department that a new organisation starts with. */
async function root(product: RunningProduct, cookie: string) {
  const answer = await ask(product, 'GET', paths.departmentTree, undefined, { cookie });
  const [node] = departmentTree.parse(answer.json());
  return node?.departmentCd ?? '';
}

describe('invitation', () => {
  it('An invitation shows its details, creates the member in their departments and streams, and signs them in', async () => {
    const { product, owner: cookie } = await founded();
    const department = await root(product, cookie);
    const { link, ends, mailed } = await invite(product, cookie, { email: sato, departments: [department] });
    expect(link.replace(product.address, '')).toMatch(/^\/#\/invitation\/[\w-]{43}$/);
    expect(ends - Date.now() / 1000).toBeCloseTo(7 * 24 * 3600, -2);
    expect(mailed).toBe(false);
    const token = tokenIn(link);
    const look = await ask(product, 'POST', accountPaths.invitation, { token });
    expect(invitationDetails.parse(look.json())).toEqual({
      organisation: owner.organisation,
      email: sato,
      invited_by: owner.name,
    });
    expect(await listed(product, cookie)).toMatchObject([{ email: sato, role: 400, departments: [department], ends }]);

    const answer = await accept(product, token);
    expect(session.parse(answer.json()).member).toMatchObject({ email: sato, full_name: '佐藤 花子' });
    const theirs = cookieFrom(answer.headers['set-cookie']);
    expect(await memberOf(product, theirs)).toBeDefined();
    const own = await program(product, sato, passwordOf(sato));
    expect(await own.call(getOwnUser, {})).toMatchObject({ role: 400 });
    const { subscriptions } = await own.call(getSubscriptions, {});
    expect(subscriptions.map(({ name }) => name)).toEqual([owner.organisation]);
    const people = await ask(product, 'GET', paths.people, undefined, { cookie: theirs });
    expect(people.json().people).toContainEqual(expect.objectContaining({ reading: 'さとう はなこ', departments: [department] }));
    expect((await accept(product, token)).json()).toMatchObject(linkNotValid);
    expect(await listed(product, cookie)).toEqual([]);
  });

  it('When two people accept an invitation at the same time, only one of them becomes a member', async () => {
    const { product, owner: cookie } = await founded();
    const token = tokenIn((await invite(product, cookie, { email: sato })).link);
    const both = await Promise.all([accept(product, token), accept(product, token, { name: '佐藤 次郎' })]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 404]);
    expect(both.find(({ statusCode }) => statusCode === 404)?.json()).toMatchObject(linkNotValid);
    expect((await signIn(product, sato, passwordOf(sato))).statusCode).toBe(200);
  });

  it.each([
    ['a weak password', { password: 'password123' }, 'PASSWORD_TOO_WEAK'],
    ['the name as the password', { password: '佐藤花子佐藤花子', name: '佐藤花子佐藤花子' }, 'PASSWORD_TOO_WEAK'],
    ['a link of another kind', { name: '@**all**' }, 'BAD_REQUEST'],
  ])('An invitation stays valid after %s', async (_, change, code) => {
    const { product, owner: cookie } = await founded();
    const token = tokenIn((await invite(product, cookie, { email: sato })).link);
    const refused = await accept(product, token, change);
    expect([refused.statusCode, refused.json()]).toMatchObject([400, { code }]);
    expect((await accept(product, token)).statusCode).toBe(200);
  });

  it('An invitation becomes invalid when it is replaced or revoked, and seven days after its creation', async () => {
    const { product, owner: cookie } = await founded();
    const first = tokenIn((await invite(product, cookie, { email: sato })).link);
    const second = tokenIn((await invite(product, cookie, { email: 'Sato@niwa.example', role: 600 })).link);
    expect((await accept(product, first)).json()).toMatchObject(linkNotValid);
    const [only, ...others] = await listed(product, cookie);
    expect([only?.role, others]).toEqual([600, []]);
    const takeBack = (id: number | undefined) =>
      ask(product, 'DELETE', `${administrationPaths.invitations}/${id}`, undefined, { cookie });
    expect((await takeBack(only?.id)).json()).toEqual({});
    expect((await takeBack(only?.id)).statusCode).toBe(404);
    expect((await accept(product, second)).json()).toMatchObject(linkNotValid);

    const third = tokenIn((await invite(product, cookie, { email: sato })).link);
    product.pass(7 * 24 * 3_600_000 + 1000);
    expect((await accept(product, third)).json()).toMatchObject(linkNotValid);
    for (const nonsense of ['', 'x', 'x'.repeat(43), `${third} `, '../../etc/passwd']) {
      expect((await ask(product, 'POST', accountPaths.invitation, { token: nonsense })).json()).toMatchObject(linkNotValid);
    }
    // A link of one kind has no effect as another kind.
    const fourth = tokenIn((await invite(product, cookie, { email: sato })).link);
    const reset = await ask(product, 'POST', accountPaths.passwordReset, { token: fourth, password: passwordOf(sato) });
    expect(reset.json()).toMatchObject(linkNotValid);
  });

  it('Creating an invitation is refused for an existing member, an invalid email and an unknown department', async () => {
    const { product, owner: cookie } = await founded();
    expect(await invited(product, cookie, { email: owner.email.toUpperCase() })).toEqual([200, 'EMAIL_IN_USE']);
    for (const email of ['sato', 'a@b, c@d', 'sato@niwa.example\r\nBcc: x@y.example', '']) {
      expect(await invited(product, cookie, { email })).toEqual([200, 'REQUEST_VARIABLE_INVALID']);
    }
    expect(await invited(product, cookie, { email: sato, departments: ['none'] })).toEqual([404, 'NOT_FOUND']);
    expect(await invited(product, cookie, { email: sato, role: 1 })).toEqual([400, 'REQUEST_VARIABLE_INVALID']);
    expect(await listed(product, cookie)).toEqual([]);

    const token = tokenIn((await invite(product, cookie, { email: sato })).link);
    const other = await memberOf(product, await join(product, cookie, { email: 'other@niwa.example' }));
    await ask(product, 'PATCH', `${administrationPaths.members}/${other}`, { email: sato }, { cookie });
    expect((await accept(product, token)).json()).toMatchObject({ code: 'EMAIL_IN_USE' });
  });

  it('An invited person cannot take the name of a member, and the invitation stays valid', async () => {
    const { product, owner: cookie } = await founded();
    const token = tokenIn((await invite(product, cookie, { email: sato })).link);
    for (const name of [owner.name, owner.name.replace(' ', '')]) {
      expect((await accept(product, token, { name })).json()).toMatchObject({ code: 'NAME_IN_USE' });
    }
    expect((await accept(product, token)).statusCode).toBe(200);
  });

  it('Administrators create, list and revoke invitations, but only an owner may invite somebody as an owner', async () => {
    const { product, owner: cookie } = await founded();
    const administrator = await join(product, cookie, { email: 'admin@niwa.example', role: 200 });
    const member = await join(product, cookie, { email: 'member@niwa.example' });
    expect(await invited(product, administrator, { email: sato, role: 100 })).toEqual([403, 'UNAUTHORIZED_PRINCIPAL']);
    expect(await invited(product, administrator, { email: sato, role: 200 })).toEqual([200, undefined]);
    for (const by of [member, undefined]) {
      const status = by === undefined ? 401 : 403;
      expect((await invited(product, by ?? 'engawa_session=none', { email: sato }))[0]).toBe(status);
      const list = await ask(product, 'GET', administrationPaths.invitations, undefined, { cookie: by });
      expect(list.statusCode).toBe(status);
    }
    await invite(product, cookie, { email: 'owner2@niwa.example', role: 100 });
    const forOwner = (await listed(product, cookie)).find(({ role }) => role === 100);
    const taken = await ask(product, 'DELETE', `${administrationPaths.invitations}/${forOwner?.id}`, undefined, {
      cookie: administrator,
    });
    expect(taken.statusCode).toBe(403);
    // A second invitation for the same address would end the first.
    expect(await invited(product, administrator, { email: 'Owner2@niwa.example' })).toEqual([200, 'UNAUTHORIZED_PRINCIPAL']);
    expect((await listed(product, cookie)).find(({ role }) => role === 100)).toEqual(forOwner);
  });

  it('One call invites many addresses, each once, and names those that it refuses with a reason', async () => {
    const { product, owner: cookie } = await founded();
    const department = await root(product, cookie);
    const emails = [sato, 'ito', ' Ito@niwa.example ', owner.email, 'ITO@niwa.example'];
    const answer = await inviteAll(product, cookie, { emails, role: 600, departments: [department] });
    const { sent, refused } = sentInvitations.parse(answer.json());
    expect(sent.map(({ email }) => email)).toEqual([sato, 'ITO@niwa.example']);
    expect(refused).toEqual([
      { email: 'ito', code: 'REQUEST_VARIABLE_INVALID' },
      { email: owner.email, code: 'EMAIL_IN_USE' },
    ]);
    expect(new Set((await listed(product, cookie)).map(({ email }) => email))).toEqual(new Set([sato, 'ITO@niwa.example']));
    expect((await accept(product, tokenIn(sent[1]?.link ?? ''))).statusCode).toBe(200);
    const terms = (await listed(product, cookie)).map(({ role, departments }) => ({ role, departments }));
    expect(terms).toEqual([{ role: 600, departments: [department] }]);
  });

  it('A call with more addresses than allowed, or with none, invites nobody', async () => {
    const { product, owner: cookie } = await founded();
    const many = Array.from({ length: maxInvitationsPerCall + 1 }, (_, each) => `n${each}@niwa.example`);
    for (const emails of [many, []]) expect((await inviteAll(product, cookie, { emails })).statusCode).toBe(400);
    expect(await listed(product, cookie)).toEqual([]);
  });

  it('An address beyond the most valid invitations is refused, but an invited one is invited again', async () => {
    const { product, owner: cookie } = await founded();
    for (let part = 0; part < 10; part += 1) {
      const emails = Array.from({ length: maxInvitationsPerCall }, (_, each) => `n${part}.${each}@niwa.example`);
      await inviteAll(product, cookie, { emails });
    }
    const answer = await inviteAll(product, cookie, { emails: ['n1.1@niwa.example', sato] });
    const { sent, refused } = sentInvitations.parse(answer.json());
    expect([sent.map(({ email }) => email), refused]).toEqual([['n1.1@niwa.example'], [{ email: sato, code: 'BAD_REQUEST' }]]);
  });

  it('An invitation becomes invalid when its creator loses the right to invite people', async () => {
    const { product, owner: cookie } = await founded();
    const administrator = await join(product, cookie, { email: 'admin@niwa.example', role: 200 });
    const user_id = (await memberOf(product, administrator)) ?? 0;
    const own = await program(product);
    const [first, second] = [
      tokenIn((await invite(product, administrator, { email: sato })).link),
      tokenIn((await invite(product, administrator, { email: 'ito@niwa.example' })).link),
    ];
    await own.call(updateUser, { user_id, role: 400 });
    expect((await accept(product, first)).json()).toMatchObject(linkNotValid);
    expect(await listed(product, cookie)).toEqual([]);
    await own.call(updateUser, { user_id, role: 200 });
    await own.call(deactivateUser, { user_id });
    expect((await accept(product, second)).json()).toMatchObject(linkNotValid);
  });
});

it('The demo answers 404 to the calls for the setup, invitations and passwords', async () => {
  const demo = await runProduct();
  const authorization = await demo.basicOf('takahashi.koichi');
  for (const url of [accountPaths.setup, accountPaths.invitation, accountPaths.password, administrationPaths.invitations]) {
    expect([url, (await ask(demo, 'POST', url, {}, { authorization })).statusCode]).toEqual([url, 404]);
  }
  await demo.close();
});
