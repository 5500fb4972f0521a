import { deactivateUser } from '@engawa/protocol';
import { accountPaths } from '@engawa/protocol/accounts';
import { administrationPaths, sentInvitations, sentLink } from '@engawa/protocol/administration';
import { session } from '@engawa/protocol/product';
import { describe, expect, it, vi } from 'vitest';
import { ask, founded, invite, join, memberOf, program, signIn, tokenIn } from '../testing/accounts.ts';
import { runMailServer } from '../testing/mailServer.ts';
import { cookieFrom, fromOwnPage, owner, type RunningProduct } from '../testing/product.ts';
import { invitationMail } from './mailTexts.ts';

const sato = 'sato@niwa.example';
const sender = '縁側 <engawa@niwa.example>';

const PUBLIC_URL = 'http://chat.niwa.example';

async function withMail() {
  const post = await runMailServer();
  return { post, ...(await founded({ SMTP_URL: post.url, MAIL_FROM: sender, PUBLIC_URL })) };
}

const forgotten = (product: RunningProduct, email: string, address?: string) =>
  ask(product, 'POST', accountPaths.passwordForgotten, { email }, { address });
/** Without the lines of calls. */
const told = ({ log }: RunningProduct) => log.filter(({ event }) => event !== 'call_finished');
const linkIn = (text: string | undefined) => /http:\/\/chat\.niwa\.example\/#\/\w+\/[\w-]{43}/.exec(text ?? '')?.[0] ?? '';

describe('mail', () => {
  it('The server sends an invitation mail in Japanese and English from the configured address to the invited person only', async () => {
    const { post, product, owner: cookie } = await withMail();
    expect(session.parse((await ask(product, 'GET', '/api/session', undefined)).json()).mail).toBe(true);
    const { link, mailed } = await invite(product, cookie, { email: sato });
    expect(mailed).toBe(true);
    expect(post.shown).toEqual(['post:himitsu-no-kagi']);
    const [mail] = post.mails;
    expect(mail).toMatchObject({ from: 'engawa@niwa.example', to: sato });
    expect(mail?.headers).toMatchObject({ to: sato, 'content-type': expect.stringContaining('text/plain') });
    expect(mail?.text).toContain(link);
    expect(mail?.text).toContain(`${owner.name} さんから、「${owner.organisation}」の社内チャット`);
    expect(mail?.text).toContain(`You are invited by ${owner.name}`);
  });

  it('The server mails a password link that an administrator created', async () => {
    const { post, product, owner: cookie } = await withMail();
    const id = await memberOf(product, cookie);
    const made = await ask(product, 'POST', `${administrationPaths.members}/${id}/reset`, undefined, { cookie });
    const { link, mailed } = sentLink.parse(made.json());
    expect([mailed, linkIn(post.mails[0]?.text)]).toEqual([true, link]);
    expect(post.mails[0]?.to).toBe(owner.email);
  });

  it('Names never appear in the headers of a mail, and a line break in a name adds no line to its text', () => {
    const name = '悪い人\r\nBcc: x@example.com\u2028\u202e';
    const { subject, text } = invitationMail({ organisation: name, invitedBy: name, link: 'http://x' });
    expect(subject).not.toContain('悪い人');
    expect(text).toContain('「悪い人 Bcc: x@example.com」');
    expect(text).not.toMatch(/\nBcc/);
  });

  it('When a mail server refuses an invitation mail, the administrator gets the link, and the log has the reason without the SMTP password', async () => {
    const { post, product, owner: cookie } = await withMail();
    post.answer = '550 himitsu-no-kagi is not welcome';
    const { link, mailed } = await invite(product, cookie, { email: sato });
    expect([mailed, post.mails]).toEqual([false, []]);
    expect(told(product)).toEqual([{ event: 'mail_not_sent', reason: expect.stringContaining('… is not welcome') }]);
    const look = await ask(product, 'POST', accountPaths.invitation, { token: tokenIn(link) });
    expect(look.statusCode).toBe(200);
  });

  it('When the mail server cannot be reached, the server still answers the call that creates an invitation', async () => {
    const { product, owner: cookie } = await founded({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@niwa.example', PUBLIC_URL });
    expect((await invite(product, cookie, { email: sato })).mailed).toBe(false);
    expect(told(product)).toMatchObject([{ event: 'mail_not_sent' }]);
  });
});

/** Sends a last mail, waits for it and the expected ones, which may overtake each other, and compares the receivers. */
async function expectReceivers(
  { post, product, owner: cookie }: Awaited<ReturnType<typeof withMail>>,
  expected: readonly string[],
  since = 0,
): Promise<void> {
  const all = [...expected, 'last@niwa.example'];
  await invite(product, cookie, { email: 'last@niwa.example' });
  await vi.waitFor(() => expect(post.mails.length - since).toBeGreaterThanOrEqual(all.length));
  expect(
    post.mails
      .slice(since)
      .map(({ to }) => to)
      .toSorted(),
  ).toEqual(all.toSorted());
}

async function reportTimes(product: RunningProduct, email: string, count: number, address?: string): Promise<number[]> {
  const statuses = new Set<number>();
  for (let index = 0; index < count; index += 1) statuses.add((await forgotten(product, email, address)).statusCode);
  return [...statuses];
}

describe('forgotten password', () => {
  it('When a person reports a forgotten password, the server mails a link, but its answer does not reveal whether the member exists', async () => {
    const { post, product, owner: cookie } = await withMail();
    const theirs = await join(product, cookie, { email: sato, name: '佐藤 花子' });
    const before = post.mails.length;
    const known = await forgotten(product, sato.toUpperCase());
    const unknown = await forgotten(product, 'nobody@niwa.example');
    expect([known.statusCode, known.body]).toEqual([200, '{}']);
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
    await vi.waitFor(() => expect(post.mails).toHaveLength(before + 1));
    const mail = post.mails.at(-1);
    expect(mail?.to).toBe(sato);
    expect(mail?.text).toMatch(/^佐藤 花子 さん\n/);

    const token = tokenIn(linkIn(mail?.text));
    const answer = await ask(product, 'POST', accountPaths.passwordReset, { token, password: 'あたらしい合言葉' });
    expect(session.parse(answer.json()).member?.email).toBe(sato);
    expect(await memberOf(product, theirs)).toBeUndefined();
  });

  it("Reporting a forgotten password keeps an administrator's password link valid, and using either link ends both", async () => {
    const { post, product, owner: cookie } = await withMail();
    const id = await memberOf(product, cookie);
    const made = await ask(product, 'POST', `${administrationPaths.members}/${id}/reset`, undefined, { cookie });
    const token = tokenIn(sentLink.parse(made.json()).link);
    await forgotten(product, owner.email);
    await vi.waitFor(() => expect(post.mails).toHaveLength(2));
    const use = (each: string) => ask(product, 'POST', accountPaths.passwordReset, { token: each, password: 'あたらしい合言葉' });
    expect((await use(token)).statusCode).toBe(200);
    expect((await use(tokenIn(linkIn(post.mails[1]?.text)))).json()).toMatchObject({ code: 'LINK_NOT_VALID' });
  });

  it('Repeated reports of one forgotten password from one network send three letters an hour', async () => {
    const installation = await withMail();
    const { product } = installation;
    expect(await reportTimes(product, owner.email, 30)).toEqual([200]);
    await expectReceivers(installation, Array<string>(3).fill(owner.email));
    product.pass(3_600_000);
    const before = installation.post.mails.length;
    await forgotten(product, owner.email);
    await expectReceivers(installation, [owner.email], before);
  });

  it('Reports from many networks send six letters an hour to a member, and the newest letter has a valid link', async () => {
    const installation = await withMail();
    const { post, product } = installation;
    for (let index = 0; index < 100; index += 1) await forgotten(product, owner.email, `198.51.100.${index}`);
    await expectReceivers(installation, Array<string>(6).fill(owner.email));
    const newest = post.mails.findLast(({ to }) => to === owner.email);
    const answer = await ask(product, 'POST', accountPaths.passwordReset, {
      token: tokenIn(linkIn(newest?.text)),
      password: 'あたらしい合言葉',
    });
    expect(answer.statusCode).toBe(200);
  });

  it('A colleague who reports the password of one member does not use up the letters of the others in the network', async () => {
    const installation = await withMail();
    const { product, owner: cookie } = installation;
    await join(product, cookie, { email: sato });
    const before = installation.post.mails.length;
    await reportTimes(product, owner.email, 100);
    await forgotten(product, sato);
    await expectReceivers(installation, [...Array<string>(3).fill(owner.email), sato], before);
  });

  it('A network sends at most twenty letters an hour, except to a member on a device where they have signed in before', async () => {
    const installation = await withMail();
    const { product } = installation;
    const signedIn = await signIn(product, owner.email, owner.password);
    const device = cookieFrom(signedIn.headers['set-cookie'], 'engawa_device');
    for (let index = 0; index < 20; index += 1) await forgotten(product, `n${index}@niwa.example`);
    const refused = await forgotten(product, owner.email);
    expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 'RATE_LIMIT_HIT' }]);
    for (let index = 0; index < 5; index += 1) {
      const own = await ask(product, 'POST', accountPaths.passwordForgotten, { email: owner.email }, { cookie: device });
      expect(own.statusCode).toBe(200);
    }
    await expectReceivers(installation, Array<string>(3).fill(owner.email));
  });

  it('A report of a forgotten password sends nothing to a deactivated member', async () => {
    const installation = await withMail();
    const { product, owner: cookie } = installation;
    const user_id = (await memberOf(product, await join(product, cookie, { email: sato }))) ?? 0;
    await (await program(product)).call(deactivateUser, { user_id });
    const before = installation.post.mails.length;
    await forgotten(product, sato);
    await expectReceivers(installation, [], before);
  });

  it.each(['127.0.0.1:9999', 'localhost:1', '[::1]:8080'])(
    'The link in a letter begins with PUBLIC_URL, even if a caller sends the Host %s',
    async (host) => {
      const { post, product } = await withMail();
      await product.app.inject({
        method: 'POST',
        url: accountPaths.passwordForgotten,
        headers: { host, ...fromOwnPage },
        payload: { email: owner.email },
      });
      await vi.waitFor(() => expect(post.mails).toHaveLength(1));
      expect(linkIn(post.mails[0]?.text)).toMatch(/^http:\/\/chat\.niwa\.example\/#\/password\//);
      expect(post.mails[0]?.text).not.toContain(host);
    },
  );

  it('Without PUBLIC_URL, a link begins with the address that the server listens at, even if a caller sends another Host', async () => {
    const { product, owner: cookie } = await founded();
    const answer = await product.app.inject({
      method: 'POST',
      url: administrationPaths.invitations,
      headers: { host: '127.0.0.1:9999', cookie, ...fromOwnPage },
      payload: { emails: [sato] },
    });
    expect(sentInvitations.parse(answer.json()).sent[0]?.link.startsWith(`${product.address}/#/invitation/`)).toBe(true);
  });

  it('A report of a forgotten password is refused with NO_MAIL when the server has no mail server', async () => {
    const { product } = await founded();
    const answer = await forgotten(product, owner.email);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'NO_MAIL' }]);
  });
});
