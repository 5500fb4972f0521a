/** Every screen and state that a member can meet, and the way to it: for the pictures and for the accessibility tests. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { composeFileMessage } from '../packages/protocol/src/fileMessage.ts';
import { png } from '../packages/server/src/demo/documents/png.ts';
import { entranceStates, ownAccountStates } from './entranceStates.ts';
import { typeAndEnterAtOnce } from './screen.ts';
import type { Words } from './words.ts';

export interface Scene {
  readonly page: Page;
  /** In the language of the page. */
  readonly words: Words;
  /** One pane at a time. */
  readonly narrow: boolean;
}

export interface State {
  /** In the order in which a reader would look at them. */
  readonly name: string;
  reach(scene: Scene): Promise<void>;
}

/** What a member of the demo organisation meets rarely. */
export const sample = {
  longName: '次世代プラットフォーム検討ワーキンググループ（2027年度中期経営計画・全社横断・第二期）定例と議事録の共有用',
  silent: '新製品 準備会',
  code: 'コード共有',
  pictures: '写真共有',
  calls: '相談と依頼',
  read: '既読の見本',
  tools: '意見交換',
  own: '社内報の編集',
  muted: '自動のお知らせ',
  away: '昨年の忘年会',
  stream: 'プロダクト開発部',
  me: 'tanaka@engawa.example',
  other: 'sato@engawa.example',
  third: 'kato@engawa.example',
  fourth: 'suzuki@engawa.example',
  administrator: 'takahashi.koichi@engawa.example',
} as const;

const codes = [
  [
    'ts',
    '/** 注文を読む */\nexport async function order(id: number): Promise<Order> {\n  return await db.find(`id=${id}`); // 見つかる\n}',
  ],
  ['yaml', 'server:\n  port: 8080 # 待ち受け\n  hosts: ["example.com"]'],
  ['diff', '@@ -1,2 +1,2 @@\n-  port: 8080\n+  port: 9090'],
  ['sh', `tar czf "backup-$(date +%F).tgz" ${'--exclude=node_modules '.repeat(8)}.`],
  ['', '語を問わないコード'],
] as const;
const pictures = [
  ['横長の画面.png', 960, 540],
  ['縦長の写真.png', 300, 700],
  ['小さな印.png', 24, 24],
] as const;

/** Streams and messages that the demo organisation lacks. */
export async function prepare(url: string): Promise<void> {
  const me = await apiOf(url, sample.me);
  const other = await apiOf(url, sample.other);
  const principals = JSON.stringify([sample.me, sample.other]);
  for (const name of [sample.longName, sample.silent, sample.code, sample.pictures, sample.calls, sample.tools]) {
    await me('/users/me/subscriptions', { subscriptions: JSON.stringify([{ name }]), principals, invite_only: 'true' });
  }
  const say = (content: string) => ({ type: 'stream', to: sample.longName, topic: 'stream events', content });
  await other(
    '/messages',
    say('https://wiki.engawa.example/platform/2027/working-group/minutes/第十二回/議事録と資料一式?page=1&sort=newest#section-4'),
  );
  await other('/messages', say('あ'.repeat(180)));
  await me('/messages', say('Loremipsumdolorsitametconsecteturadipiscingelit'.repeat(4)));
  for (const [language, code] of codes)
    await other('/messages', { ...say(`\`\`\`${language}\n${code}\n\`\`\``), to: sample.code });
  for (const [name, width, height] of pictures) {
    const content = await me.upload(
      name,
      png(width, height, (x, y) => [44 + (x * 160) / width, 106 + (y * 80) / height, 110]),
    );
    await me('/messages', { ...say(content), to: sample.pictures });
  }
  await me('/users/me/alert_words', { alert_words: JSON.stringify(['納期', 'リリース']) });
  for (const content of [
    '@**田中 翔** さん、*納期*の件を確認してください。資料は https://wiki.engawa.example/plan で、`v2` です。',
    '@**鈴木 健太** さんと @*デザイン室* で進めます。',
    '@**all** 明日のリリース判定会議は10時からです。',
    '来週のリリースノートを書きました。',
  ]) {
    await other('/messages', { ...say(content), to: sample.calls });
  }
  await me('/messages', { ...say('@**佐藤 美咲** 承知しました。@**だれでもない** さんにも聞きます。'), to: sample.calls });
  const description = '社内報「えんがわ便り」の企画と校正。原稿は https://wiki.engawa.example/magazine に置きます。';
  for (const group of [{ name: sample.own, description }, { name: sample.muted }, { name: sample.away }]) {
    await me('/users/me/subscriptions', { subscriptions: JSON.stringify([group]), principals });
  }
  const { subscriptions } = await me('/users/me/subscriptions', {}, 'GET');
  const set = (name: string, property: string) => {
    const { stream_id } = subscriptions.find((each: { readonly name: string }) => each.name === name);
    return me('/users/me/subscriptions/properties', {
      subscription_data: JSON.stringify([{ stream_id, property, value: true }]),
    });
  };
  await set(sample.muted, 'is_muted');
  await set(sample.away, 'put_away');
  for (const to of [sample.muted, sample.away]) await other('/messages', { ...say('夜間バッチが終わりました。'), to });
  const third = await apiOf(url, sample.third);
  await me('/users/me/subscriptions', {
    subscriptions: JSON.stringify([{ name: sample.read }]),
    principals: JSON.stringify([sample.me, sample.other, sample.third, sample.fourth]),
    invite_only: 'true',
  });
  const { id } = await me('/messages', { ...say('年末の休みは 12 月 29 日からです。'), to: sample.read });
  await other('/messages/flags', { messages: JSON.stringify([id]), op: 'add', flag: 'read' });
  await third('/settings', { send_read_receipts: 'false' }, 'PATCH');
  const said = await me('/messages', { ...say('会議は三時からです。'), to: sample.tools });
  await me(`/messages/${said.id}`, { content: '会議は四時からです。' }, 'PATCH');
  for (const call of [me, other]) {
    await call(`/messages/${said.id}/reactions`, { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' });
  }
  await other(`/messages/${said.id}/reactions`, { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' });
  await me('/messages/flags', { messages: JSON.stringify([said.id]), op: 'add', flag: 'starred' });
  // The stream of the pictures is again the one with the newest message.
  await other('/messages', { ...say('承知しました。午後の定例でお願いします。'), to: sample.stream });
}

async function apiOf(url: string, username: string) {
  const call = async (
    path: string,
    form: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>>,
    method: 'GET' | 'POST' | 'PATCH' = 'POST',
  ) => {
    const body = method === 'GET' ? undefined : new URLSearchParams(form);
    const answer = await fetch(`${url}/api/v1${path}`, { method, headers, ...(body && { body }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return answer.json();
  };
  const { api_key: key } = await call('/fetch_api_key', { username, password: 'demo' }, {});
  const Authorization = `Basic ${btoa(`${username}:${key}`)}`;
  const authorised = (path: string, form: Readonly<Record<string, string>>, method?: 'GET' | 'POST' | 'PATCH') =>
    call(path, form, { Authorization }, method);
  return Object.assign(authorised, {
    /** Answers what a message says that the file is sent in. */
    async upload(name: string, bytes: Buffer): Promise<string> {
      const storedName = `${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}.png`;
      const body = new FormData();
      body.append('dstFileName', storedName);
      body.append('file', new Blob([new Uint8Array(bytes)]), name);
      const answer = await fetch(`${url}/api/api/upload/file`, { method: 'POST', body, headers: { Authorization } });
      if (!answer.ok) throw new Error(`upload: ${await answer.text()}`);
      return composeFileMessage({ name, storedName, size: bytes.length });
    },
  });
}

const tree = ({ page }: Scene): Locator => page.getByRole('tree');
const row = ({ page }: Scene, name: string): Locator => page.getByRole('treeitem').filter({ hasText: name }).last();
const button = ({ page }: Scene, name: string): Locator => page.getByRole('button', { name, exact: true });
const dialog = ({ page }: Scene): Locator => page.getByRole('dialog');
const composer = ({ page, words }: Scene): Locator => page.getByPlaceholder(words.composer.placeholder);

async function home(scene: Scene, hash = ''): Promise<void> {
  await scene.page.goto(`/${hash}`);
  await scene.page.getByRole('tablist').or(composer(scene)).first().waitFor();
}

const pictureButton = ({ page }: Scene): Locator => page.getByRole('log').locator('button[data-picture]').first();

async function largePicture(scene: Scene): Promise<void> {
  await chat(scene, sample.pictures);
  await pictureButton(scene).click();
  await dialog(scene).getByRole('img').waitFor();
}

async function organisation(scene: Scene): Promise<void> {
  await home(scene);
  await tree(scene).waitFor();
  if (!scene.narrow) await scene.page.getByRole('article').last().waitFor();
}

async function directs(scene: Scene): Promise<void> {
  await home(scene, '#/directs');
  await directRow(scene, '鈴木 健太').waitFor();
}

const directRow = ({ page, words }: Scene, name: string): Locator =>
  page.getByRole('list', { name: words.direct.list }).getByRole('link').filter({ hasText: name });

/** Of three, which the demo organisation has. Answers its address. */
async function openGroup(scene: Scene): Promise<string> {
  await directs(scene);
  await directRow(scene, '佐藤 美咲、高橋 由美').click();
  await scene.page.getByRole('article').last().waitFor();
  return scene.page.evaluate(() => location.hash);
}

async function beginDirect(scene: Scene): Promise<void> {
  await directs(scene);
  await button(scene, scene.words.direct.begin).click();
  await dialog(scene).waitFor();
}

async function streams(scene: Scene): Promise<void> {
  await home(scene, '#/streams');
  await scene.page.getByRole('list', { name: scene.words.streams.list }).waitFor();
}

async function settings(scene: Scene): Promise<void> {
  await home(scene, '#/settings');
  await button(scene, scene.words.features.settings.page.editProfile).waitFor();
}

/** As the service worker tells of it, once there is somebody to hear it. */
async function newVersion(scene: Scene): Promise<void> {
  await scene.page.waitForFunction((text) => {
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { version: 'next' } }));
    return document.body.textContent.includes(text);
  }, scene.words.features.notices.update.there);
}

/** A message of an earlier visit waits for a stream that the member is not in any more. */
async function stranded({ page, words }: Scene): Promise<void> {
  await page.evaluate(async () => {
    let name: string | undefined;
    while (!name?.startsWith('engawa outbox ')) name = (await indexedDB.databases())[0]?.name;
    const opening = indexedDB.open(name);
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const writing = opening.result.transaction('entries', 'readwrite');
    const text = '会場の下見は来週の火曜でどうでしょう。駅から歩いて 5 分ほどのところです。';
    writing.objectStore('entries').add({ localKey: 'stranded', conversation: 999_999, text, timestamp: 0 });
    await new Promise((resolve) => writing.addEventListener('complete', resolve));
  });
  await page.reload();
  await page.getByText(words.features.notices.undeliverable.notSent).waitFor();
}

async function becomeAdministrator(scene: Scene): Promise<void> {
  const { page } = scene;
  await page.goto('/logout');
  await page.getByText(scene.words.features.session.pick.heading).waitFor();
  await page.evaluate(async (email) => {
    const headers = { 'Content-Type': 'application/json' };
    await fetch('/api/session', { method: 'POST', headers, body: JSON.stringify({ email }) });
  }, sample.administrator);
  await page.reload();
}

async function administration(scene: Scene, section: keyof Words['features']['administration']['sections']): Promise<void> {
  await becomeAdministrator(scene);
  await home(scene);
  await scene.page.goto(`/#/administration/${section}`);
  await scene.page.getByRole('heading', { level: 2, name: scene.words.features.administration.sections[section] }).waitFor();
}

/** The department at that place of the tree, counted from 0. */
async function administeredDepartment(scene: Scene, index: number): Promise<Locator> {
  await administration(scene, 'departments');
  const row = scene.page.getByRole('treeitem').nth(index);
  await row.waitFor();
  return row;
}

async function mentions(scene: Scene): Promise<void> {
  await home(scene, '#/mentions');
  await scene.page.getByRole('heading', { level: 1, name: scene.words.mention.heading }).waitFor();
}

/** Opens a stream from the list, as a member does. */
async function chat(scene: Scene, name: string = sample.stream): Promise<void> {
  await streams(scene);
  await scene.page.getByRole('link').filter({ hasText: name }).first().click();
  await scene.page.getByRole('heading', { level: 2 }).filter({ hasText: name }).waitFor();
  if (name !== sample.silent && name !== sample.own) await scene.page.getByRole('article').last().waitFor();
}

/** With messages of one's own that others have read. */
async function announcements(scene: Scene): Promise<void> {
  await chat(scene, sample.read);
  await scene.page.getByTitle(scene.words.readers.open).last().waitFor();
}

/** With the focus in the newest message. */
async function focusedTools(scene: Scene): Promise<void> {
  await chat(scene);
  await scene.page.getByRole('article').last().focus();
  await scene.page.getByRole('toolbar', { name: scene.words.messageTools.label }).waitFor();
}

/** What the member writes now they may still correct and delete. */
async function ownTool(scene: Scene, name: string): Promise<void> {
  await chat(scene);
  await composer(scene).fill('まだ直せる一言です。');
  await button(scene, scene.words.composer.send).click();
  // Its row is another one once the message has its number.
  const own = scene.page.locator('article:not([data-key*="-"])').filter({ hasText: 'まだ直せる一言です。' }).last();
  await own.locator('time').waitFor();
  await own.press('Enter');
  await scene.page.getByRole('menuitem', { name, exact: true }).click();
}

async function createGroup(scene: Scene): Promise<void> {
  await streams(scene);
  await button(scene, scene.words.createGroup.open).click();
  await dialog(scene).getByRole('option').first().waitFor();
}

async function emoji(scene: Scene): Promise<void> {
  await chat(scene);
  await button(scene, scene.words.composer.emoji).click();
  await dialog(scene).getByRole('button', { name: '👍' }).or(dialog(scene).locator('fieldset button')).first().waitFor();
}

async function more(scene: Scene): Promise<void> {
  await chat(scene);
  await button(scene, scene.words.streamTools.more).click();
}

/** One of them. */
async function choose(scene: Scene, name: string): Promise<void> {
  await button(scene, scene.words.streamTools.more).click();
  await scene.page.getByRole('menuitem', { name, exact: true }).click();
}

async function profileOf(scene: Scene, name: string): Promise<void> {
  await chat(scene, name);
  await choose(scene, scene.words.streamTools.profile);
  await dialog(scene).getByRole('listitem').first().waitFor();
}

async function openSearch(scene: Scene, query: string): Promise<void> {
  await button(scene, scene.words.streamTools.search).click();
  await scene.page.getByRole('combobox').fill(query);
}

async function search(scene: Scene, query = ''): Promise<void> {
  await chat(scene);
  await openSearch(scene, query);
}

/** Only this part of the settings is open. */
async function settingsPart(scene: Scene, heading: string): Promise<void> {
  await settings(scene);
  const headings = scene.page.getByRole('tabpanel').locator('h2 button[aria-expanded]');
  for (const each of await headings.all()) {
    const wanted = (await each.textContent())?.includes(heading) ?? false;
    if ((await each.getAttribute('aria-expanded')) !== String(wanted)) await each.click();
  }
}

const refusal = { status: 500, json: { result: 'error', code: 'INTERNAL', msg: 'broken' } };
const held = () => new Promise<void>(() => undefined);

const importHeader = '社員番号,氏名,ふりがな,メールアドレス,部署,兼務,役職,権限,状態,内線';
const importRows = [
  '0012,髙野 唯,タカノ ユイ,takano@engawa.example,営業本部/海外営業部/第一課,,課長,メンバー,在籍,1234',
  '0013,崎本 進,サキモト ススム,sakimoto@engawa.example,営業本部/海外営業部,,,メンバー,在籍,1235',
  '0014,小川 悠斗,オガワ ユウト,ogawa@engawa.example,営業本部/海外営業部,,エンジニア,,在籍,1236',
];
const importFaulty = [
  '0015,,ノグチ カエデ,noguchi.engawa,営業本部/海外営業部,,主任,部長,在籍,1237',
  '0016,浜田 愛,ハマダ アイ,hamada@engawa.example,営業本部//海外,,,,休職中,1238',
];
async function chooseImport({ page }: Scene, rows: readonly string[]): Promise<void> {
  const buffer = Buffer.from([importHeader, ...rows, ''].join('\r\n'));
  await page.locator('input[type=file]').setInputFiles({ name: '2026年4月 組織と社員の一覧.csv', mimeType: 'text/csv', buffer });
}
const importStates: readonly State[] = [
  { name: 'a file is chosen', reach: async () => undefined },
  {
    name: 'rows to mend',
    async reach(scene) {
      await chooseImport(scene, [...importRows, ...importFaulty]);
      await scene.page.getByRole('heading', { name: scene.words.features.import.faults.heading(5) }).waitFor();
    },
  },
  {
    name: 'what would change',
    async reach(scene) {
      await chooseImport(scene, importRows);
      await scene.page.getByRole('heading', { name: scene.words.features.import.difference.heading }).waitFor();
      await scene.page.getByText(scene.words.features.import.difference.membersMade).click();
      await scene.page.getByText(scene.words.features.import.difference.joins).click();
    },
  },
  {
    name: 'the question before it is applied',
    async reach(scene) {
      await chooseImport(scene, importRows);
      await button(scene, scene.words.features.import.difference.apply).click();
      await scene.page.getByText(scene.words.features.import.difference.confirmQuestion).waitFor();
    },
  },
  {
    name: 'the wrong columns, and no file',
    async reach(scene) {
      await chooseImport(scene, []);
      await scene.page.getByText(scene.words.features.import.difference.nothing).waitFor();
      const buffer = Buffer.from('氏名,名前\r\n');
      await button(scene, scene.words.features.import.file.another).click();
      await scene.page.locator('input[type=file]').setInputFiles({ name: '名簿.csv', mimeType: 'text/csv', buffer });
      await scene.page.getByText(scene.words.features.import.faults.inHeader).waitFor();
    },
  },
];

export const states: readonly State[] = [
  {
    name: '01 sign-in',
    async reach(scene) {
      await scene.page.goto('/logout');
      await scene.page.getByText(scene.words.features.session.pick.heading).waitFor();
    },
  },
  {
    name: '02 sign-in, nobody found',
    async reach(scene) {
      await scene.page.goto('/logout');
      await scene.page.getByRole('searchbox').fill('だれもいない');
      await scene.page.getByText(scene.words.features.session.pick.noneFound).waitFor();
    },
  },
  {
    name: '03 not opened',
    async reach({ page, words }) {
      await page.route('**/api/session', (route) => route.abort());
      await page.goto('/');
      await page.getByText(words.start.failed).waitFor();
    },
  },
  {
    name: '03b new version',
    async reach(scene) {
      await chat(scene);
      await newVersion(scene);
    },
  },
  {
    name: '03c new version, files chosen',
    async reach(scene) {
      await chat(scene);
      await newVersion(scene);
      const file = { name: '議事録.txt', mimeType: 'text/plain', buffer: Buffer.from('議題') };
      await scene.page.locator('input[type=file]').setInputFiles(file);
      await button(scene, scene.words.features.notices.update.apply).click();
      await scene.page.getByText(scene.words.features.notices.update.losesFiles).waitFor();
    },
  },
  {
    name: '03d not sent, and nowhere to stand',
    async reach(scene) {
      await chat(scene);
      await stranded(scene);
    },
  },
  ...entranceStates,
  { name: '10 organisation', reach: organisation },
  {
    name: '11 organisation, folded',
    async reach(scene) {
      await organisation(scene);
      for (const name of ['開発本部', '営業本部']) {
        await row(scene, name).focus();
        await scene.page.keyboard.press('ArrowLeft');
      }
    },
  },
  {
    name: '12 organisation, no access',
    async reach(scene) {
      await organisation(scene);
      await row(scene, '経理部').click();
      await scene.page.getByRole('alert').waitFor();
    },
  },
  {
    name: '13 organisation, searched',
    async reach(scene) {
      await organisation(scene);
      await scene.page.getByRole('searchbox').fill('営業');
    },
  },
  {
    name: '14 organisation, nothing found',
    async reach(scene) {
      await organisation(scene);
      await scene.page.getByRole('searchbox').fill('宇宙開発');
      await scene.page.getByText(scene.words.organisation.noneFound).waitFor();
    },
  },
  {
    name: '15 organisation, empty',
    async reach(scene) {
      await scene.page.route('**/api/department/tree', (route) => route.fulfill({ json: { data: [] } }));
      await home(scene);
      await scene.page.getByText(scene.words.organisation.none).waitFor();
    },
  },
  {
    name: '16 organisation, loading',
    async reach(scene) {
      await scene.page.route('**/api/department/tree', held);
      await home(scene);
      await scene.page.getByLabel(scene.words.loading).first().waitFor();
    },
  },
  {
    name: '17 organisation, failed',
    async reach(scene) {
      await scene.page.route('**/api/department/tree', (route) => route.fulfill(refusal));
      await home(scene);
      await button(scene, scene.words.again).waitFor();
    },
  },
  { name: '20 streams', reach: streams },
  {
    name: '21 streams, nothing found',
    async reach(scene) {
      await streams(scene);
      await scene.page.getByRole('searchbox').fill('宇宙開発');
      await scene.page.getByText(scene.words.streams.noneFound).waitFor();
    },
  },
  {
    name: '22 streams, none',
    async reach(scene) {
      await scene.page.route('**/api/v1/users/me/subscriptions?*', (route) =>
        route.fulfill({ json: { result: 'success', msg: '', subscriptions: [] } }),
      );
      await home(scene, '#/streams');
      await scene.page.getByText(scene.words.streams.noneAdvice).waitFor();
    },
  },
  {
    name: '23 streams, loading',
    async reach(scene) {
      await scene.page.route('**/api/v1/register', held);
      await home(scene, '#/streams');
      await scene.page.getByLabel(scene.words.loading).first().waitFor();
    },
  },
  {
    name: '24 mentions',
    async reach(scene) {
      await mentions(scene);
      await scene.page.getByRole('list', { name: scene.words.mention.mentioned }).waitFor();
    },
  },
  {
    name: '25 mentions, alert words',
    async reach(scene) {
      await mentions(scene);
      await scene.page.getByRole('radio', { name: scene.words.mention.alerted }).click();
      await scene.page.locator('mark').first().waitFor();
    },
  },
  {
    name: '25b mentions, starred',
    async reach(scene) {
      await mentions(scene);
      await scene.page.getByRole('radio', { name: scene.words.mention.starred }).click();
      await scene.page.getByRole('list', { name: scene.words.mention.starred }).waitFor();
    },
  },
  {
    name: '26 mentions, none',
    async reach(scene) {
      await scene.page.route(/\/api\/v1\/messages\?.*mentioned/, (route) =>
        route.fulfill({
          json: {
            result: 'success',
            msg: '',
            anchor: 0,
            found_anchor: false,
            found_oldest: true,
            found_newest: true,
            messages: [],
          },
        }),
      );
      await mentions(scene);
      await scene.page.getByText(scene.words.mention.noneAdvice).waitFor();
    },
  },
  {
    name: '27 mentions, failed',
    async reach(scene) {
      await scene.page.route(/\/api\/v1\/messages\?.*mentioned/, (route) => route.fulfill(refusal));
      await mentions(scene);
      await button(scene, scene.words.again).waitFor();
    },
  },
  { name: '28 direct messages', reach: directs },
  {
    name: '28 direct messages, nobody found',
    async reach(scene) {
      await directs(scene);
      await scene.page.getByRole('searchbox').fill('宇宙開発');
      await scene.page.getByText(scene.words.direct.noneFound).waitFor();
    },
  },
  {
    name: '28 direct messages, of a group, while others write',
    async reach(scene) {
      const address = await openGroup(scene);
      const to = JSON.stringify(address.replace('#/direct/', '').split(',').map(Number));
      for (const who of [sample.other, 'takahashi@engawa.example']) {
        const call = await apiOf(new URL(scene.page.url()).origin, who);
        await call('/typing', { op: 'start', type: 'direct', to });
      }
      await scene.page.getByText(scene.words.areWriting('佐藤 美咲', '高橋 由美')).waitFor();
    },
  },
  {
    name: '28 direct messages, who takes part',
    async reach(scene) {
      await openGroup(scene);
      await button(scene, scene.words.streamTools.more).click();
      await scene.page.getByRole('menuitem', { name: scene.words.streamTools.profile }).click();
      await dialog(scene).waitFor();
    },
  },
  { name: '29 new direct message', reach: beginDirect },
  {
    name: '29 new direct message, to nobody',
    async reach(scene) {
      await beginDirect(scene);
      await button(scene, scene.words.direct.open).click();
      await scene.page.getByText(scene.words.direct.nobody).waitFor();
    },
  },
  { name: '30 create group', reach: createGroup },
  {
    name: '31 create group, members chosen',
    async reach(scene) {
      await createGroup(scene);
      await scene.page.getByLabel(scene.words.features.groups.name).fill('秋の社員旅行 幹事会');
      await scene.page.keyboard.press('Enter');
      for (const query of ['さとう', 'デザイン室', '山本']) {
        await scene.page.getByRole('combobox').fill(query);
        await scene.page.locator('[data-active]').waitFor();
        await scene.page.keyboard.press('Enter');
      }
    },
  },
  {
    name: '32 create group, a whole department',
    async reach(scene) {
      await createGroup(scene);
      await dialog(scene).getByRole('option').first().click();
    },
  },
  {
    name: '33 create group, the name missing',
    async reach(scene) {
      await createGroup(scene);
      await button(scene, scene.words.features.groups.create).click();
      await scene.page.getByText(scene.words.features.groups.nameMissing).waitFor();
    },
  },
  {
    name: '34 create group, the name too long',
    async reach(scene) {
      await createGroup(scene);
      await scene.page.getByLabel(scene.words.features.groups.name).fill('とても長い名前'.repeat(10));
    },
  },
  {
    name: '35 create group, the name taken',
    async reach(scene) {
      await createGroup(scene);
      await scene.page.getByLabel(scene.words.features.groups.name).fill('デザイン室');
      await button(scene, scene.words.features.groups.create).click();
      await scene.page.getByText(scene.words.features.groups.openThat).waitFor();
    },
  },
  {
    name: '36 create group, nobody found',
    async reach(scene) {
      await createGroup(scene);
      await scene.page.getByRole('combobox').fill('だれもいない');
      await scene.page.getByText(scene.words.features.members.picker.noneFound).waitFor();
    },
  },
  { name: '40 chat', reach: (scene) => chat(scene) },
  {
    name: '41 chat, scrolled up',
    async reach(scene) {
      await chat(scene);
      await scene.page.getByRole('log').hover();
      // Until it has been read, the way back would count what is new.
      const row = scene.page.getByRole('link').filter({ hasText: sample.stream }).first();
      if (!scene.narrow) await row.filter({ hasNotText: '[' }).waitFor();
      await scene.page.mouse.wheel(0, -1500);
      // A telephone has no list beside the chat that says so: there it may count.
      await scene.page.getByRole('button', { name: scene.words.chat.toNewest, exact: !scene.narrow }).waitFor();
    },
  },
  { name: '42 chat, new messages', reach: (scene) => chat(scene, '開発本部') },
  { name: '42b chat, reading on', reach: (scene) => chat(scene, 'デザイン室') },
  { name: '43 chat, long names', reach: (scene) => chat(scene, sample.longName) },
  {
    name: '44 chat, empty',
    async reach(scene) {
      await chat(scene, sample.silent);
      await scene.page.getByText(scene.words.chat.noMessagesAdvice).waitFor();
    },
  },
  {
    name: '44b chat, code',
    async reach(scene) {
      await chat(scene, sample.code);
      await scene.page.locator('pre span').first().waitFor();
    },
  },
  { name: '44c chat, pictures', reach: (scene) => chat(scene, sample.pictures) },
  { name: '44c2 chat, a picture large', reach: largePicture },
  {
    name: '44c3 chat, a picture zoomed',
    async reach(scene) {
      await largePicture(scene);
      for (const _ of [1, 2, 3, 4, 5, 6]) await button(scene, scene.words.features.pictures.larger).click();
      await button(scene, scene.words.features.pictures.whole).waitFor();
    },
  },
  {
    name: '44c4 chat, a picture that is broken',
    async reach(scene) {
      await scene.page.route('**/api/storage/temp/*', (route) => route.fulfill({ status: 404, json: {} }));
      await chat(scene, sample.pictures);
      await pictureButton(scene).click();
      await dialog(scene).getByRole('alert').waitFor();
    },
  },
  { name: '44d chat, mentions and alert words', reach: (scene) => chat(scene, sample.calls) },
  { name: '44g chat, read by others', reach: announcements },
  {
    name: '44h chat, who has read it',
    async reach(scene) {
      await announcements(scene);
      await scene.page.getByTitle(scene.words.readers.open).last().click();
      await dialog(scene).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: '44i chat, nobody can say who has read it',
    async reach(scene) {
      await announcements(scene);
      await scene.page.route('**/messages/*/read_receipts*', (route) => route.fulfill(refusal));
      await scene.page.getByTitle(scene.words.readers.open).last().click();
      await button(scene, scene.words.again).waitFor();
    },
  },
  {
    name: '45 chat, loading',
    async reach(scene) {
      await streams(scene);
      await scene.page.route('**/api/v1/messages?*', held);
      await scene.page.getByRole('link').filter({ hasText: '障害対応' }).first().click();
      await composer(scene).waitFor();
    },
  },
  {
    name: '46 chat, failed',
    async reach(scene) {
      await streams(scene);
      await scene.page.route('**/api/v1/messages?*', (route) => route.fulfill(refusal));
      await scene.page.getByRole('link').filter({ hasText: '障害対応' }).first().click();
      await button(scene, scene.words.again).waitFor();
    },
  },
  {
    name: '47 chat, offline',
    async reach(scene) {
      await chat(scene);
      await scene.page.context().setOffline(true);
      await scene.page.getByText(scene.words.connection.offline).waitFor();
    },
  },
  {
    name: '48 chat, not sent',
    async reach(scene) {
      await chat(scene);
      await scene.page.route('**/api/v1/messages', (route) =>
        route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not authorized' } }),
      );
      await composer(scene).fill('送れなかった文章は、ここに残ります。');
      await button(scene, scene.words.composer.send).click();
      await button(scene, scene.words.chat.sendAgain).waitFor();
    },
  },
  {
    name: '48b chat, files on their way',
    async reach(scene) {
      await chat(scene);
      await scene.page.route('**/api/api/upload/file', () => undefined);
      await scene.page
        .locator('input[type=file]')
        .first()
        .setInputFiles([
          { name: '打ち合わせの録音.m4a', mimeType: 'audio/mp4', buffer: Buffer.alloc(4_200_000) },
          { name: '議事録.docx', mimeType: 'application/zip', buffer: Buffer.alloc(48_000) },
        ]);
      await button(scene, scene.words.composer.send).click();
      await button(scene, scene.words.chat.cancelUpload('議事録.docx')).waitFor();
    },
  },
  {
    name: '48c chat, a file that is gone',
    async reach(scene) {
      await chat(scene);
      const path = join(mkdtempSync(join(tmpdir(), 'engawa-chosen-')), '2026年度_見積書_第二版.xlsx');
      writeFileSync(path, '第一版');
      await scene.page.locator('input[type=file]').first().setInputFiles(path);
      rmSync(dirname(path), { recursive: true });
      await button(scene, scene.words.composer.send).click();
      await scene.page.getByText(scene.words.failures.fileGone).waitFor();
    },
  },
  {
    name: '49 chat, signed out',
    async reach(scene) {
      await chat(scene);
      await scene.page.context().clearCookies();
      await composer(scene).fill('サインインの期限');
      await button(scene, scene.words.composer.send).click();
      await scene.page.getByText(scene.words.connection.signedOut).first().waitFor();
    },
  },
  {
    name: '49a message tools',
    async reach(scene) {
      await focusedTools(scene);
    },
  },
  {
    name: '49b message menu',
    async reach(scene) {
      await focusedTools(scene);
      await scene.page.keyboard.press('Enter');
      await scene.page.getByRole('menu').waitFor();
    },
  },
  {
    name: '49c message reacted to, starred, edited',
    async reach(scene) {
      await chat(scene, sample.tools);
      await scene.page.getByText(scene.words.chat.edited).waitFor();
    },
  },
  {
    name: '49d edit history',
    async reach(scene) {
      await chat(scene, sample.tools);
      await button(scene, scene.words.chat.edited).click();
      await scene.page.getByRole('dialog').getByRole('listitem').last().waitFor();
    },
  },
  {
    name: '49e edit',
    async reach(scene) {
      await ownTool(scene, scene.words.messageTools.edit);
      await scene.page.getByRole('textbox', { name: scene.words.messageTools.editing }).fill('直している途中の一言です。');
    },
  },
  {
    name: '49f edit, refused',
    async reach(scene) {
      await ownTool(scene, scene.words.messageTools.edit);
      await scene.page.route('**/api/v1/messages/*', (route) => route.fulfill(refusal));
      const field = scene.page.getByRole('textbox', { name: scene.words.messageTools.editing });
      await field.fill('直している途中の一言です。');
      await button(scene, scene.words.messageTools.save).click();
      await scene.page.getByRole('alert').waitFor();
    },
  },
  {
    name: '49g delete',
    async reach(scene) {
      await ownTool(scene, scene.words.messageTools.delete);
      await scene.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: '49h opened at a message',
    async reach(scene) {
      await chat(scene, sample.tools);
      const key = await scene.page.getByRole('article').first().getAttribute('data-key');
      await scene.page.evaluate((id) => void (location.hash += `/message/${id}`), key);
      await scene.page.locator('[data-marked]').waitFor();
    },
  },
  {
    name: '50 composer, several lines',
    async reach(scene) {
      await chat(scene);
      await composer(scene).fill(
        '一行目です。\n二行目は少し長く、行の終わりで折り返すくらいまで続きます。見え方を確かめてください。\n三行目',
      );
    },
  },
  {
    name: '51 composer, a file chosen',
    async reach(scene) {
      await chat(scene);
      await composer(scene).fill('書きかけの文章');
      const file = {
        name: '2026年度_下期_事業計画_最終版_承認済み.xlsx',
        mimeType: 'application/zip',
        buffer: Buffer.alloc(86_221),
      };
      await scene.page.locator('input[type=file]').first().setInputFiles(file);
    },
  },
  {
    name: '51b composer, several files',
    async reach(scene) {
      await chat(scene);
      await composer(scene).fill('書きかけの文章');
      const files = ['2026年度_下期_事業計画_最終版_承認済み_取締役会用.xlsx', '現地写真.jpg', '図面.pdf'].map((name, index) => {
        return { name, mimeType: 'application/zip', buffer: Buffer.alloc(86_221 * (index + 1)) };
      });
      await scene.page.locator('input[type=file]').first().setInputFiles(files);
      await scene.page.getByRole('list', { name: scene.words.composer.files }).waitFor();
    },
  },
  {
    name: '52 composer, too long',
    async reach(scene) {
      await chat(scene);
      await composer(scene).fill('長い文章です。'.repeat(1500));
    },
  },
  {
    name: '53 composer, cleared',
    async reach(scene) {
      await chat(scene);
      await composer(scene).fill('消した文章');
      await composer(scene).press('Escape');
      await button(scene, scene.words.composer.undo).waitFor();
    },
  },
  {
    name: '54 composer, whom to mention',
    async reach(scene) {
      await chat(scene);
      await composer(scene).pressSequentially('@');
      await scene.page.getByRole('listbox').waitFor();
    },
  },
  {
    name: '55 composer, a mention searched',
    async reach(scene) {
      await chat(scene);
      await composer(scene).pressSequentially('確認を@さと');
      await scene.page.getByRole('option').first().waitFor();
      await composer(scene).press('ArrowDown');
    },
  },
  { name: '60 emoji', reach: emoji },
  {
    name: '61 emoji, searched',
    async reach(scene) {
      await emoji(scene);
      await dialog(scene).getByRole('searchbox').fill('おめでとう');
    },
  },
  {
    name: '62 emoji, nothing found',
    async reach(scene) {
      await emoji(scene);
      await dialog(scene).getByRole('searchbox').fill('そんな絵文字');
      await scene.page.getByText(scene.words.emoji.noneFound).waitFor();
    },
  },
  { name: '70 stream menu', reach: more },
  {
    name: '71 stream profile',
    async reach(scene) {
      await more(scene);
      await scene.page.getByRole('menuitem', { name: scene.words.streamTools.profile }).click();
      await dialog(scene).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: '71b stream files',
    async reach(scene) {
      await chat(scene, sample.pictures);
      await button(scene, scene.words.streamTools.more).click();
      await scene.page.getByRole('menuitem', { name: scene.words.streamTools.profile }).click();
      await dialog(scene).getByRole('radio', { name: scene.words.files.heading }).click();
      await dialog(scene).getByRole('list', { name: scene.words.files.list }).waitFor();
    },
  },
  {
    name: '71c stream files, none of that name',
    async reach(scene) {
      await chat(scene, sample.pictures);
      await button(scene, scene.words.streamTools.more).click();
      await scene.page.getByRole('menuitem', { name: scene.words.streamTools.profile }).click();
      await dialog(scene).getByRole('radio', { name: scene.words.files.heading }).click();
      await dialog(scene).getByRole('searchbox').fill('ＸＹＺ');
      await dialog(scene).getByText(scene.words.files.noneFound).waitFor();
    },
  },
  {
    name: '71d stream profile, of a group of one’s own',
    async reach(scene) {
      await profileOf(scene, sample.own);
    },
  },
  {
    name: '71c stream, to be edited',
    async reach(scene) {
      await profileOf(scene, sample.own);
      await dialog(scene).getByRole('button', { name: scene.words.streamTools.edit, exact: true }).click();
      await dialog(scene).getByLabel(scene.words.streamTools.description).waitFor();
    },
  },
  {
    name: '71d stream, members to be added',
    async reach(scene) {
      await profileOf(scene, sample.own);
      await dialog(scene).getByRole('button', { name: scene.words.streamTools.invite }).click();
      await dialog(scene).getByRole('option').nth(2).click();
    },
  },
  {
    name: '71e stream, to be left',
    async reach(scene) {
      await profileOf(scene, sample.own);
      await dialog(scene).getByRole('button', { name: scene.words.streamTools.leave }).click();
      await scene.page.getByText(scene.words.streamTools.leaveQuestion).waitFor();
    },
  },
  {
    name: '72 stream, muted',
    async reach(scene) {
      await chat(scene, sample.muted);
      await button(scene, scene.words.streamTools.isMuted).waitFor();
    },
  },
  {
    name: '72b stream notifications',
    async reach(scene) {
      await chat(scene, sample.own);
      await choose(scene, scene.words.streamTools.notifications);
      await dialog(scene).getByRole('radio').first().waitFor();
    },
  },
  {
    name: '72c stream, to be deleted',
    async reach(scene) {
      await chat(scene, sample.own);
      await choose(scene, scene.words.streamTools.delete);
      await dialog(scene).getByRole('button', { name: scene.words.streamTools.deleteIt }).click();
      await scene.page.getByText(scene.words.streamTools.otherName).waitFor();
    },
  },
  {
    name: '72d streams, put away',
    async reach(scene) {
      await streams(scene);
      await scene.page.getByRole('button', { name: scene.words.streams.away }).click();
      await scene.page.getByRole('link', { name: sample.away }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: '73 search',
    async reach(scene) {
      await search(scene);
      await scene.page.getByText(scene.words.features.search.advice).waitFor();
    },
  },
  {
    name: '73b search, found',
    async reach(scene) {
      await search(scene, 'デ');
      await dialog(scene).locator('mark').first().waitFor();
      await scene.page.keyboard.press('ArrowDown');
    },
  },
  {
    name: '73c search, everywhere, with a file and a sender',
    async reach(scene) {
      await search(scene);
      await dialog(scene).getByRole('radio', { name: scene.words.features.search.everywhere }).check();
      await button(scene, scene.words.features.search.hasFile).click();
      await button(scene, scene.words.features.search.sender).click();
      await scene.page.getByRole('combobox').fill('さとう');
      await dialog(scene).getByRole('option').first().click();
      await scene.page.getByText(scene.words.features.search.found(1, false).replace('1', '')).first().waitFor();
    },
  },
  {
    name: '73d search, the sender is picked',
    async reach(scene) {
      await search(scene);
      await button(scene, scene.words.features.search.sender).click();
      await dialog(scene).getByRole('option').nth(3).waitFor();
    },
  },
  {
    name: '73e search, nothing found',
    async reach(scene) {
      await search(scene, '宇宙開発');
      await scene.page.getByText(scene.words.features.search.inAll).waitFor();
    },
  },
  {
    name: '73f search, failed',
    async reach(scene) {
      await chat(scene);
      await scene.page.route('**/api/v1/messages?*', (route) => route.fulfill(refusal));
      await openSearch(scene, '会議');
      await button(scene, scene.words.again).waitFor();
    },
  },
  {
    name: '73g search, not ready',
    async reach(scene) {
      await chat(scene);
      const json = { result: 'error', code: 'SEARCH_NOT_READY', msg: 'not ready' };
      await scene.page.route('**/api/v1/messages?*', (route) => route.fulfill({ status: 503, json }));
      await openSearch(scene, '会議');
      await scene.page.getByText(scene.words.failures.notReady).waitFor();
    },
  },
  {
    name: '73h search, recent',
    async reach(scene) {
      await search(scene);
      await typeAndEnterAtOnce(scene.page.getByRole('combobox'), 'デザイン');
      await scene.page.keyboard.press('Escape');
      await openSearch(scene, '');
      await dialog(scene).getByRole('option').first().waitFor();
    },
  },
  {
    name: '74 audio call',
    async reach(scene) {
      await chat(scene);
      await button(scene, scene.words.streamTools.audioCall).click();
    },
  },
  {
    name: '75 video call, long name',
    async reach(scene) {
      await chat(scene, sample.longName);
      await button(scene, scene.words.streamTools.videoCall).click();
    },
  },
  { name: '80 settings', reach: settings },
  { name: '81 settings, personal info', reach: (scene) => settingsPart(scene, scene.words.features.settings.page.profile) },
  { name: '82 settings, privacy', reach: (scene) => settingsPart(scene, scene.words.features.settings.page.privacy) },
  { name: '83 settings, security', reach: (scene) => settingsPart(scene, scene.words.features.settings.page.security) },
  {
    name: '83b settings, notifications by stream',
    async reach(scene) {
      await settingsPart(scene, scene.words.features.settings.page.security);
      await button(scene, scene.words.features.settings.streamNotifications.heading).click();
      await dialog(scene).getByRole('listitem').first().waitFor();
    },
  },
  ...ownAccountStates((scene) => settingsPart(scene, scene.words.features.settings.page.security)),
  { name: '84 settings, help', reach: (scene) => settingsPart(scene, scene.words.features.settings.page.help) },
  ...(['faqs', 'shortcuts', 'contact', 'policy'] as const).map((page) => ({
    name: `84d help, ${page}`,
    async reach(scene: Scene) {
      await home(scene, `#/settings/help/${page}`);
      await dialog(scene).getByRole('navigation').waitFor();
    },
  })),
  {
    name: '84b settings, alert words',
    async reach(scene) {
      await settings(scene);
      await button(scene, scene.words.features.settings.alertWords.add).click();
      await scene.page.getByText(scene.words.features.settings.alertWords.complaints.missing).waitFor();
    },
  },
  {
    name: '84c settings, organisation',
    async reach(scene) {
      await becomeAdministrator(scene);
      await settings(scene);
      await scene.page
        .getByRole('combobox', { name: scene.words.features.settings.organisationSettings.receipts })
        .scrollIntoViewIfNeeded();
    },
  },
  ...importStates.map(({ name, reach }) => ({
    name: `84e import, ${name}`,
    async reach(scene: Scene) {
      await administration(scene, 'import');
      await scene.page.getByText(scene.words.features.import.choose.heading).waitFor();
      await reach(scene);
    },
  })),
  {
    name: '85 settings, the end',
    async reach(scene) {
      await settings(scene);
      await scene.page.getByRole('link', { name: scene.words.features.settings.page.logout }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: '85b settings, signing out with messages that are not sent',
    async reach(scene) {
      await chat(scene);
      await scene.page.route('**/api/v1/messages', (route) => route.abort());
      for (const text of ['あとで送られる文章です。', 'もうひとつの文章です。']) {
        await composer(scene).fill(text);
        await button(scene, scene.words.composer.send).click();
        await scene.page.getByText(text).first().waitFor();
      }
      // The page goes on: what another brings along from the disk comes a moment later.
      await scene.page.evaluate(() => location.assign('#/settings'));
      await scene.page.getByRole('link', { name: scene.words.features.settings.page.logout }).click();
      await dialog(scene).getByText(scene.words.features.settings.page.unsent(2)).waitFor();
    },
  },
  {
    name: '86 profile',
    async reach(scene) {
      await settings(scene);
      await button(scene, scene.words.features.settings.page.editProfile).click();
      await dialog(scene).getByLabel(scene.words.features.settings.page.name).waitFor();
    },
  },
  {
    name: '87 profile, incomplete',
    async reach(scene) {
      await settings(scene);
      await button(scene, scene.words.features.settings.page.editProfile).click();
      await dialog(scene).getByLabel(scene.words.features.settings.page.name).fill('');
      await dialog(scene).getByLabel(scene.words.features.settings.page.email).fill('tanaka@');
      await button(scene, scene.words.features.settings.profileForm.save).click();
    },
  },
  {
    name: '88 switch member',
    async reach(scene) {
      await settings(scene);
      await scene.page.getByRole('button', { name: scene.words.features.settings.page.switchMember }).click();
      await dialog(scene).getByRole('listitem').first().waitFor();
    },
  },
  {
    name: '89 member card',
    async reach(scene) {
      await chat(scene, sample.calls);
      const row = scene.page.getByRole('log').getByRole('article').filter({ hasText: 'リリース判定会議' });
      await row.locator('button').first().click();
      await dialog(scene).getByRole('heading', { level: 3 }).waitFor();
    },
  },
  {
    name: '90 status',
    async reach(scene) {
      await settings(scene);
      await button(scene, scene.words.features.settings.status.open).click();
      await dialog(scene).getByRole('combobox').selectOption('at');
    },
  },
  {
    name: '91 audience',
    async reach(scene) {
      await settings(scene);
      await scene.page.getByRole('combobox', { name: scene.words.features.settings.page.photo }).selectOption('selected');
      await dialog(scene).getByRole('option').first().click();
    },
  },
  {
    name: '92 administration',
    async reach(scene) {
      await becomeAdministrator(scene);
      await home(scene);
      await scene.page.goto('/#/administration');
      await scene.page.getByRole('navigation', { name: scene.words.features.administration.sectionsLabel }).waitFor();
    },
  },
  {
    name: '92b administration, members',
    async reach(scene) {
      await administration(scene, 'members');
      await scene.page.getByRole('list', { name: scene.words.features.administration.members.list }).waitFor();
    },
  },
  {
    name: '92c administration, a member',
    async reach(scene) {
      await administration(scene, 'members');
      const list = scene.page.getByRole('list', { name: scene.words.features.administration.members.list });
      await list.getByRole('listitem').filter({ hasText: sample.me }).getByRole('button').first().click();
      await dialog(scene).getByRole('listitem').last().getByRole('button').last().click();
      await dialog(scene).locator('output').filter({ hasText: /./ }).last().scrollIntoViewIfNeeded();
    },
  },
  {
    name: '92d administration, a member is added',
    async reach(scene) {
      await administration(scene, 'members');
      await button(scene, scene.words.features.administration.members.add).click();
      await dialog(scene).locator('button[type=submit]').click();
      await dialog(scene).getByText(scene.words.features.administration.missing).first().waitFor();
    },
  },
  {
    name: '92e administration, a member is deactivated',
    async reach(scene) {
      await administration(scene, 'members');
      const list = scene.page.getByRole('list', { name: scene.words.features.administration.members.list });
      await list.getByRole('listitem').filter({ hasText: sample.me }).getByRole('button').last().click();
      await scene.page.getByRole('menuitem', { name: scene.words.features.administration.members.deactivate }).click();
      await dialog(scene).getByRole('list').waitFor();
    },
  },
  {
    name: '92f administration, departments',
    async reach(scene) {
      await (await administeredDepartment(scene, 3)).click();
      await scene.page.getByRole('list', { name: scene.words.features.administration.departments.members }).waitFor();
    },
  },
  {
    name: '92g administration, a department is carried',
    async reach(scene) {
      await (await administeredDepartment(scene, 3)).focus();
      await scene.page.keyboard.press(' ');
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await scene.page.keyboard.press(key);
      await scene.page.locator('[data-carried]').waitFor();
    },
  },
  {
    name: '92h administration, a department is moved',
    async reach(scene) {
      await (await administeredDepartment(scene, 3)).focus();
      await scene.page.keyboard.press(' ');
      await scene.page.keyboard.press('ArrowLeft');
      await scene.page.keyboard.press('Enter');
      await dialog(scene).getByRole('list').waitFor();
    },
  },
  {
    name: '92i administration, a department is renamed',
    async reach(scene) {
      await (await administeredDepartment(scene, 3)).focus();
      await scene.page.keyboard.press('F2');
      await scene.page.getByRole('treeitem').getByRole('textbox').fill('');
      await scene.page.getByText(scene.words.features.administration.missing).waitFor();
    },
  },
  {
    name: '92j administration, streams',
    async reach(scene) {
      await administration(scene, 'streams');
      await scene.page.getByRole('list', { name: scene.words.features.administration.streams.list }).waitFor();
    },
  },
  {
    name: '92k administration, the organisation',
    async reach(scene) {
      await administration(scene, 'organisation');
      await scene.page.getByRole('textbox').first().fill('縁側');
      await button(scene, scene.words.features.administration.organisation.discard).waitFor();
    },
  },
];

/** When nothing moves any more: fonts and pictures are there, and animations are over. */
export async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(Array.from(document.images, (image) => image.decode().catch(() => undefined)));
  });
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  );
}
