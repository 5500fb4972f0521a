import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subscribe } from '@engawa/protocol';
import { administrationPaths, firstStepsState, mailTest } from '@engawa/protocol/administration';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../commands/run.ts';
import { ask, founded, invite, program } from '../testing/accounts.ts';
import { runMailServer } from '../testing/mailServer.ts';
import { owner, type RunningProduct } from '../testing/product.ts';

const stateOf = async (product: RunningProduct, cookie: string) =>
  firstStepsState.parse((await ask(product, 'GET', administrationPaths.firstSteps, undefined, { cookie })).json());
const testMail = (product: RunningProduct, cookie: string) =>
  ask(product, 'POST', administrationPaths.mailTest, undefined, { cookie });

it('A new organisation has no first step done, and each step is done once its result exists', async () => {
  const { product, owner: cookie } = await founded();
  expect(await stateOf(product, cookie)).toEqual({ done: [], is_dismissed: false, mail: null, last_backup: null });
  const department = { displayName: '営業部', parent: null };
  await ask(product, 'POST', administrationPaths.departments, department, { cookie });
  expect((await stateOf(product, cookie)).done).toEqual(['departments']);
  await invite(product, cookie, { email: 'sato@niwa.example' });
  await (await program(product)).call(subscribe, { subscriptions: [{ name: '雑談' }] });
  expect((await stateOf(product, cookie)).done).toEqual(['departments', 'invitations', 'streams']);
});

it('The guide to the first steps stays put away until an administrator brings it back', async () => {
  const { product, owner: cookie } = await founded();
  const change = (is_dismissed: unknown) => ask(product, 'PATCH', administrationPaths.firstSteps, { is_dismissed }, { cookie });
  for (const is_dismissed of [true, true, false]) {
    expect((await change(is_dismissed)).json()).toEqual({});
    expect((await stateOf(product, cookie)).is_dismissed).toBe(is_dismissed);
  }
  expect((await change('yes')).statusCode).toBe(400);
});

it('A test mail goes to the administrator who asks, and marks the mail step as done', async () => {
  const post = await runMailServer();
  const { product, owner: cookie } = await founded({
    PUBLIC_URL: 'http://localhost',
    SMTP_URL: post.url,
    MAIL_FROM: '縁側 <engawa@niwa.example>',
  });
  const before = await stateOf(product, cookie);
  expect(before.mail).toEqual({ host: '127.0.0.1', port: post.port, is_encrypted: false, from: 'engawa@niwa.example' });
  expect(JSON.stringify(before)).not.toContain('himitsu');
  post.answer = '550 himitsu-no-kagi is not welcome';
  expect(mailTest.parse((await testMail(product, cookie)).json())).toEqual({
    to: owner.email,
    reason: expect.stringContaining('… is not welcome'),
  });
  expect((await stateOf(product, cookie)).done).toEqual([]);
  post.answer = undefined;
  expect(mailTest.parse((await testMail(product, cookie)).json())).toEqual({ to: owner.email, reason: null });
  expect(post.mails.map(({ to }) => to)).toEqual([owner.email]);
  expect((await stateOf(product, cookie)).done).toEqual(['mail']);
});

it('Test mails are limited, and refused with NO_MAIL when the server has no mail server', async () => {
  const { product, owner: cookie } = await founded();
  for (let times = 0; times < 5; times += 1) expect((await testMail(product, cookie)).json()).toMatchObject({ code: 'NO_MAIL' });
  expect((await testMail(product, cookie)).json()).toMatchObject({ code: 'RATE_LIMIT_HIT' });
});

it('A finished `engawa backup` is the last backup that the first steps show', async () => {
  const { product, owner: cookie } = await founded();
  const target = mkdtempSync(join(tmpdir(), 'engawa-backup-'));
  onTestFinished(() => rmSync(target, { recursive: true }));
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const code = await runCommand(['backup', target], { environment: { DATA_DIR: product.dataDirectory }, say, warn: say });
  expect([code, lines]).toEqual([0, [expect.stringContaining(target)]]);
  expect(await stateOf(product, cookie)).toMatchObject({ done: ['backup'], last_backup: expect.any(Number) });
});
