/** What whoever stands outside meets where members have passwords, and how they look after their own. */
import type { Page } from '@playwright/test';
import { accountPaths } from '../packages/protocol/src/accounts.ts';
import type { Session } from '../packages/protocol/src/product.ts';
import type { Scene, State } from './states.ts';

const organisation = '株式会社 縁側';
const token = 'a'.repeat(43);
const nobody: Session = {
  auth_mode: 'password',
  member: null,
  signed_out: false,
  setup_needed: false,
  organisation,
  mail: true,
  default_member: null,
  candidates: [],
  fake_sign_in_exposed: false,
  max_file_size: 100_000_000,
  extensions: [],
};

/** A product with passwords, by what it answers about whoever comes. */
async function open({ page }: Scene, change: Partial<Session> = {}, hash = ''): Promise<void> {
  await answering(page, '/api/session', { ...nobody, ...change });
  await page.goto(`/${hash}`);
}

async function answering(page: Page, path: string, json: object, status = 200): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ status, json: { result: 'success', msg: '', ...json } }));
}

async function refusing(page: Page, path: string, status: number, code: string): Promise<void> {
  await page.route(`**${path}`, (route) => route.fulfill({ status, json: { result: 'error', code, msg: code } }));
}

const button = ({ page }: Scene, name: string) => page.getByRole('button', { name, exact: true });
const field = ({ page }: Scene, label: string) => page.getByLabel(label, { exact: true });
const heading = ({ page }: Scene, name: string) => page.getByRole('heading', { level: 1, name });

export const entranceStates: readonly State[] = [
  {
    name: '04 setup',
    async reach(scene) {
      await open(scene, { setup_needed: true, organisation: null });
      await heading(scene, scene.words.features.session.setUp.heading).waitFor();
    },
  },
  {
    name: '04b setup, with mistakes',
    async reach(scene) {
      const { fields, setUp } = scene.words.features.session;
      await open(scene, { setup_needed: true, organisation: null });
      await field(scene, fields.organisation).fill(organisation);
      await field(scene, fields.email).fill('ono');
      await field(scene, fields.password).fill('みじかい');
      await button(scene, setUp.submit).click();
      await scene.page.getByText(scene.words.features.session.complaints.code.required).waitFor();
    },
  },
  {
    name: '05 password sign-in',
    async reach(scene) {
      await open(scene);
      await heading(scene, scene.words.features.session.signIn.heading).waitFor();
    },
  },
  {
    name: '05b password sign-in, wrong',
    async reach(scene) {
      const { fields, signIn, failures } = scene.words.features.session;
      await open(scene);
      await field(scene, fields.email).fill('ono@engawa.example');
      await field(scene, fields.password).fill('ちがうことば');
      await refusing(scene.page, '/api/session', 401, 'AUTHENTICATION_FAILED');
      await button(scene, signIn.submit).click();
      await scene.page.getByText(failures.wrong).waitFor();
    },
  },
  {
    name: '05c password forgotten',
    async reach(scene) {
      await open(scene);
      await button(scene, scene.words.features.session.signIn.forgotten).click();
      await heading(scene, scene.words.features.session.forgotten.heading).waitFor();
    },
  },
  {
    name: '05d password forgotten, a link is sent',
    async reach(scene) {
      const { fields, signIn, forgotten } = scene.words.features.session;
      await open(scene);
      await answering(scene.page, accountPaths.passwordForgotten, {});
      await field(scene, fields.email).fill('ono@engawa.example');
      await button(scene, signIn.forgotten).click();
      await button(scene, forgotten.submit).click();
      await heading(scene, forgotten.sentHeading).waitFor();
    },
  },
  {
    name: '05e password forgotten, without mail',
    async reach(scene) {
      await open(scene, { mail: false });
      await button(scene, scene.words.features.session.signIn.forgotten).click();
      await heading(scene, scene.words.features.session.forgotten.noMailHeading).waitFor();
    },
  },
  {
    name: '06 invitation',
    async reach(scene) {
      const invited = { organisation, email: 'kobayashi@engawa.example', invited_by: '大野 由紀' };
      await answering(scene.page, accountPaths.invitation, invited);
      await open(scene, {}, `#/invitation/${token}`);
      await heading(scene, scene.words.features.session.invitation.heading(organisation)).waitFor();
      await field(scene, scene.words.features.session.fields.password).fill('ひだまりの縁側で');
    },
  },
  {
    name: '06b invitation, while somebody is signed in',
    async reach(scene) {
      const member = { user_id: 1, email: 'ono@engawa.example', full_name: '大野 由紀' };
      await open(scene, { member }, `#/invitation/${token}`);
      await heading(scene, scene.words.features.session.signedIn.heading).waitFor();
    },
  },
  {
    name: '07 link for a password',
    async reach(scene) {
      const seen = { organisation, email: 'kobayashi@engawa.example', full_name: '小林 彩' };
      await answering(scene.page, accountPaths.passwordLink, seen);
      await open(scene, {}, `#/password/${token}`);
      await heading(scene, scene.words.features.session.password.heading).waitFor();
    },
  },
  {
    name: '07b link that does not work',
    async reach(scene) {
      await refusing(scene.page, accountPaths.passwordLink, 404, 'LINK_NOT_VALID');
      await open(scene, {}, `#/password/${token}`);
      await heading(scene, scene.words.features.session.link.notValid).waitFor();
    },
  },
];

/** As of a member who signs in with a password, whichever way they came in. */
async function withPassword({ page }: Scene): Promise<void> {
  await page.route('**/api/session', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), auth_mode: 'password' } });
  });
  const keys = [
    { id: 12, created: 1_795_000_000, last_used: 1_795_300_000 },
    { id: 7, created: 1_794_000_000, last_used: null },
  ];
  await answering(page, accountPaths.keys, { keys });
}

/** In the part of the settings about security, which is open. */
export const ownAccountStates = (openSecurity: (scene: Scene) => Promise<void>): readonly State[] => [
  {
    name: '83c settings, keys and password',
    async reach(scene) {
      await withPassword(scene);
      await openSecurity(scene);
      const list = scene.page.getByRole('list', { name: scene.words.features.settings.keys.list });
      await list.getByRole('listitem').last().waitFor();
      await list.scrollIntoViewIfNeeded();
    },
  },
  {
    name: '83d settings, a new password',
    async reach(scene) {
      const { password } = scene.words.features;
      const { ownPassword } = scene.words.features.settings;
      await withPassword(scene);
      await openSecurity(scene);
      await button(scene, ownPassword.open).click();
      await field(scene, ownPassword.next).fill('ひだまりの縁側で');
      await button(scene, ownPassword.change).click();
      await scene.page.getByText(password.complaints.required).waitFor();
    },
  },
  {
    name: '83e settings, a key to be revoked',
    async reach(scene) {
      const { keys } = scene.words.features.settings;
      await withPassword(scene);
      await openSecurity(scene);
      await button(scene, keys.endNamed(keys.key(12))).click();
      await scene.page.getByRole('dialog').waitFor();
    },
  },
];
