import type { BrowserContext, Page } from '@playwright/test';
import { connect } from '../packages/client/src/index.ts';
import {
  addAlertWords,
  deleteMessage,
  editMessage,
  fetchApiKey,
  getMessage,
  getUsers,
  sendMessage,
  subscribe,
  getStreamId,
  updateMessageFlags,
  updateStatus,
} from '../packages/client/src/calls.ts';
import { composeFileMessage } from '../packages/protocol/src/fileMessage.ts';
import { administeredMembers, createdDepartment, sentInvitations, sentLink } from '../packages/protocol/src/administration.ts';
import { png } from '../packages/server/src/demo/documents/png.ts';
import { ja } from '../packages/web/src/i18n/administration.ja.ts';
import { attackFiles, attackFileNames, attackTexts } from './attacks.ts';
import { expect, type Product, setupCode, signedInContext, test } from './product.ts';
import { backgroundTasksRun, closeLayer, messages } from './screen.ts';

/** Scripts that ran, forbidden requests and policy violations in all pages of a context. */
interface Watch {
  readonly ran: string[];
}

async function watch(context: BrowserContext): Promise<Watch> {
  const ran: string[] = [];
  await context.exposeFunction('ran', () => ran.push('a script'));
  await context.exposeFunction('violated', (what: string) => ran.push(what));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      void Reflect.get(globalThis, 'violated')?.(`CSP: ${violatedDirective} ${blockedURI} ${sample}`);
    });
  });
  context.on('request', (request) => {
    if (/\/ran\b|evil\.example/.test(request.url())) ran.push(`asked: ${request.url()}`);
  });
  context.on('dialog', async (dialog) => {
    ran.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  context.on('console', (said) => {
    if (/Content Security Policy|TrustedHTML|TrustedScript|Refused to/i.test(said.text())) ran.push(`console: ${said.text()}`);
  });
  context.on('weberror', (error) => ran.push(`error: ${error.error().message}`));
  return { ran };
}

/** Elements and attributes that no screen of ours creates. */
const strange = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll('*')) {
      const { localName, attributes, outerHTML } = element;
      const say = (what: string) => found.push(`${what}: ${outerHTML.slice(0, 120)}`);
      if (/^(iframe|object|embed|base|math|marquee|applet|frame|noscript|template)$/.test(localName)) say('element');
      if (localName === 'script' && !/^\/(?:theme\.js|assets\/[\w-]+\.js)$/.test(element.getAttribute('src') ?? ''))
        say('script');
      if (localName === 'style' || (localName === 'meta' && element.hasAttribute('http-equiv'))) say('element');
      for (const { name, value } of attributes) {
        if (name === 'data-hostile' || /^on/i.test(name) || name === 'srcdoc') say(`attribute ${name}`);
        const leads = /^(?:href|src|action|formaction|xlink:href|data)$/i.test(name);
        if (leads && /^[\s\0-\x20]*(?:javascript|vbscript|data):/i.test(value)) say(`address ${name}`);
      }
    }
    return found;
  });

/** Keeps stored names unique among tests. */
let uploads = 0;

async function apiOf({ url }: Product, username: string) {
  const { api_key: apiKey } = await fetchApiKey(connect({ realm: url }), { username, password: 'demo' });
  const authorization = `Basic ${btoa(`${username}:${apiKey}`)}`;
  const post = async (path: string, fields: Readonly<Record<string, string | File>>) => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const answer = await fetch(url + path, { method: 'POST', body, headers: { authorization } });
    expect(answer.status, await answer.clone().text()).toBe(200);
    return answer;
  };
  return {
    connection: connect({ realm: url, username, apiKey }),
    authorization,
    post,
    /** @returns The text of the file message, and the file's address. */
    async upload(name: string, type: string, content: Buffer) {
      const storedName = `stored${String((uploads += 1)).padStart(14, '0')}`;
      const answer = await post('/api/api/upload/file', {
        file: new File([new Uint8Array(content)], name, { type }),
        dstFileName: storedName,
      });
      const { name: kept } = JSON.parse(await answer.text());
      return {
        said: composeFileMessage({ name: String(kept), storedName, size: content.length }),
        address: `/api/storage/temp/${storedName}`,
      };
    },
  };
}

async function goTo(page: Page, stream: number, message: number): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/stream/${stream}/message/${message}`);
}

/** Short, because names and titles are limited. */
const short = '<img data-hostile src=x onerror=ran(1)>';
const shortName = '<img data-hostile src=x onerror=ran(1) ';
const me = 'tanaka@engawa.example';
const other = 'sato@engawa.example';
const administrator = 'takahashi.koichi@engawa.example';
/** Contains no slash, which separates departments. */
const department = '<img data-hostile src=x onerror=ran(1)>部';

/** Fills every field that other members see. @returns The stream id and the ids of its texts. */
async function fillEverything(product: Product): Promise<{ stream: number; written: readonly number[] }> {
  const writer = await apiOf(product, other);
  const reader = await apiOf(product, me);
  const { connection } = writer;
  await subscribe(connection, {
    subscriptions: [{ name: short, description: attackTexts.slice(0, 8).join(' ') }],
    principals: [me, other],
  });
  const { stream_id } = await getStreamId(connection, { stream: short });
  const image = new File([new Uint8Array(png(32, 32, () => [10, 120, 60])), '<script>ran(1)</script>'], `${short}.png`, {
    type: 'image/png',
  });
  await writer.post('/api/profile', { name: shortName, email: other, location: short, image });
  await writer.post(`/api/streams/${stream_id}/picture`, { image });
  await updateStatus(connection, { status_text: short, emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' });
  await addAlertWords(reader.connection, { alert_words: ['onerror', short, '"><svg onload=ran(1)>'] });
  const sends = (content: string, topic = 'stream events') =>
    sendMessage(connection, { type: 'stream', to: short, topic, content });
  const written: number[] = [];
  for (const [index, text] of attackTexts.entries()) {
    const topic = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ').slice(0, 60);
    written.push((await sends(`${text} 印${index}号`, topic)).id);
  }
  await sends(`@**田中 翔** @**all** ${short}`);
  const { id } = await sends(`${short} はじめ`);
  await editMessage(connection, { message_id: id, content: `${short} 直したもの` });
  await updateMessageFlags(reader.connection, { messages: [id], op: 'add', flag: 'starred' });
  const gone = await sends(`${short} 消したもの`);
  await deleteMessage(connection, { message_id: gone.id });
  await sendMessage(connection, { type: 'direct', to: JSON.stringify([me]), content: `${short} @**田中 翔**` });
  return { stream: stream_id, written };
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const csv = (...rows: readonly (readonly string[])[]): Buffer =>
  Buffer.from(rows.map((cells) => cells.map(quoted).join(',')).join('\r\n'));

/** The ids of the texts, which are stored once per product. */
const filled = new WeakMap<Product, ReturnType<typeof fillEverything>>();

function everythingIn(product: Product): ReturnType<typeof fillEverything> {
  const filling = filled.get(product) ?? fillEverything(product);
  filled.set(product, filling);
  return filling;
}

/** A watched page, and a check that nothing ran in it. */
async function watchedPage(context: BrowserContext) {
  const { ran } = await watch(context);
  const page = await context.newPage();
  const settled = async (where: string) => {
    expect(await strange(page), where).toEqual([]);
    expect(ran, where).toEqual([]);
  };
  return { page, settled };
}

/** Limits the time of one test. */
const textsOfTest = 30;
const shares = Array.from({ length: Math.ceil(attackTexts.length / textsOfTest) }, (_, share) => share * textsOfTest);

test.describe('Hostile texts', () => {
  test('Hostile texts run scripts when a test page parses them as HTML, and the test detects it', async ({ browser }) => {
    expect(attackTexts.length).toBeGreaterThan(80);
    const context = await browser.newContext();
    const { ran } = await watch(context);
    const page = await context.newPage();
    await page.setContent(`<!doctype html><body>${attackTexts.slice(2, 6).join('')}`);
    await expect.poll(() => ran).toContain('a script');
    expect(await strange(page)).not.toEqual([]);
  });

  for (const first of shares) {
    test(`[R5.3.2, R7] Hostile texts from number ${first + 1} on are shown as text in messages, even without the content security policy`, async ({
      browser,
      product,
    }) => {
      const { stream, written } = await everythingIn(product);
      const { page, settled } = await watchedPage(await signedInContext(browser, product, me));
      await page.goto(`/#/stream/${stream}`);
      await expect(messages(page).last()).toBeVisible();
      await settled('the newest messages');
      // The list renders only messages near the visible ones, so each is opened by its address.
      for (const [index, id] of [...written.entries()].slice(first, first + textsOfTest)) {
        await goTo(page, stream, id);
        await expect(
          messages(page)
            .filter({ hasText: `印${index}号` })
            .first(),
        ).toBeVisible();
        await settled(attackTexts[index] ?? '');
      }
    });
  }

  test('[R5.3.2, R7] Hostile texts are shown as text in lists, settings and search results', async ({ browser, product }) => {
    const { stream } = await everythingIn(product);
    const context = await signedInContext(browser, product, me, { permissions: ['notifications'] });
    const { page, settled } = await watchedPage(context);
    for (const list of ['organisation', 'streams', 'directs', 'mentions', 'settings']) {
      await page.goto(`/#/${list}`);
      await expect(
        page
          .getByRole('tabpanel')
          .or(page.getByRole('heading', { level: 1 }))
          .first(),
      ).toBeVisible();
      await settled(list);
    }
    for (const part of await page.getByRole('tabpanel').locator('h2 button[aria-expanded]').all()) {
      if ((await part.getAttribute('aria-expanded')) === 'false') await part.click();
      await settled('a part of the settings');
    }

    await page.goto(`/#/stream/${stream}`);
    await expect(messages(page).last()).toBeVisible();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('dialog', { name: 'メッセージを検索' });
    for (const query of ['data-hostile', 'onerror', short]) {
      await search.getByRole('combobox').fill(query);
      await expect(search.getByRole('option').first()).toBeVisible();
      await settled(`the search for ${query}`);
    }
  });

  test(
    '[R3.3.2, R5.3.2] Hostile texts are shown as text in the name of a large picture and in a notification',
    { tag: '@whole-browser' },
    async ({ browser, product }) => {
      const writer = await apiOf(product, other);
      const name = '画像とお知らせ';
      const { stream } = await everythingIn(product);
      await subscribe(writer.connection, { subscriptions: [{ name }], principals: [me, other] });
      const { stream_id } = await getStreamId(writer.connection, { stream: name });
      const { said } = await writer.upload(
        `${short}.png`,
        'image/png',
        png(32, 32, () => [10, 120, 60]),
      );
      const send = (content: string) => sendMessage(writer.connection, { type: 'stream', to: name, topic: short, content });
      await send(said);

      const context = await signedInContext(browser, product, me, { permissions: ['notifications'] });
      await context.addInitScript(`
      globalThis.shown = [];
      const Real = Notification;
      globalThis.Notification = class extends Real {
        constructor(title, options) {
          super(title, options);
          shown.push(title + ' ' + options.body);
        }
      };
    `);
      const { page, settled } = await watchedPage(context);
      await page.goto(`/#/stream/${stream_id}`);
      await page
        .getByRole('log')
        .getByRole('button', { name: /を大きく表示$/ })
        .click();
      await expect(page.getByRole('dialog').getByRole('heading', { name: 'data-hostile' })).toBeVisible();
      await settled('a picture that is shown large');
      await closeLayer(page);

      await page.goto(`/#/stream/${stream}`);
      await expect(messages(page).last()).toBeVisible();
      await backgroundTasksRun(page);
      await send(`@**田中 翔** ${short} 通知`);
      await expect.poll(() => page.evaluate('shown.join()')).toContain(`${short} 通知`);
      await settled('a notification');
    },
  );

  test('[R3.4, I7.2] Hostile names are shown as text in the administration, in an imported file and on a member card', async ({
    browser,
    product,
  }) => {
    const { stream } = await everythingIn(product);
    const { authorization } = await apiOf(product, administrator);
    const ask = async (method: 'POST' | 'PATCH', path: string, body: object): Promise<unknown> => {
      const headers = { authorization, 'Content-Type': 'application/json' };
      const answer = await fetch(`${product.url}/api/administration/${path}`, { method, headers, body: JSON.stringify(body) });
      expect(answer.status, await answer.clone().text()).toBe(200);
      return answer.json();
    };
    const { departmentCd } = createdDepartment.parse(await ask('POST', 'departments', { displayName: department, parent: null }));
    const member = { full_name: `${shortName}新人`, email: 'shinjin@engawa.example', reading: short, title: short };
    await ask('POST', 'members', { ...member, departments: [departmentCd] });
    await ask('PATCH', 'organisation', { name: short, description: attackTexts.slice(0, 8).join(' ') });

    const { page, settled } = await watchedPage(await signedInContext(browser, product, administrator));
    for (const section of ['members', 'departments', 'streams', 'organisation'] as const) {
      await page.goto(`/#/administration/${section}`);
      await expect(page.getByRole('heading', { level: 2, name: ja.sections[section] })).toBeVisible();
      const shown = section === 'organisation' ? page.getByRole('textbox').first() : page.getByText('<img data-hostile').first();
      await expect(shown).toBeVisible();
      await settled(`the administration’s ${section}`);
    }
    await page.goto('/#/administration/members');
    await page.getByRole('button', { name: ja.actionsFor(member.full_name) }).click();
    await settled('what can be done to a member');
    await page.getByRole('menuitem', { name: ja.members.edit, exact: true }).click();
    const form = page.getByRole('dialog');
    for (const name of [ja.members.reading, ja.members.title]) await expect(form.getByLabel(name)).toHaveValue(short);
    await settled('a member with a reading and a post');
    await closeLayer(page);

    await page.goto('/#/administration/import');
    const head = ['氏名', 'メールアドレス', '部署', '役職', '権限', short];
    const choose = (buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name: `${short}.csv`, mimeType: 'text/csv', buffer });
    await choose(csv(head, ...attackTexts.slice(0, 20).map((text) => [text, text, text, text, text, text])));
    await expect(page.getByRole('heading', { name: /^直すところが/ })).toBeVisible();
    await settled('a file with faults');
    await page.getByRole('button', { name: '別のファイルを選ぶ' }).click();
    await choose(csv(head, [`${shortName}二人目`, 'futarime@engawa.example', department, short, 'メンバー', short]));
    await expect(page.getByRole('heading', { name: '反映すると、こうなります' })).toBeVisible();
    for (const part of await page.locator('summary').all()) await part.click();
    await settled('what an import would change');

    const { page: theirs, settled: settledForThem } = await watchedPage(await signedInContext(browser, product, me));
    await theirs.goto('/#/organisation');
    await expect(theirs.getByRole('treeitem').filter({ hasText: '<img data-hostile' }).first()).toBeVisible();
    await settledForThem('the tree of departments');
    await theirs.goto(`/#/stream/${stream}`);
    await theirs.getByRole('log').getByRole('article').last().locator('button').first().click();
    await expect(theirs.getByRole('dialog')).toContainText('<img data-hostile');
    await settledForThem('the card of a member');
  });

  test('[I7.1] Hostile texts are shown as text on the pages before the sign-in', async ({ browser, empty }) => {
    const headers = { 'Content-Type': 'application/json', Origin: empty.url };
    const password = 'ひだまりの縁側で';
    const made = await fetch(`${empty.url}/api/setup`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ code: await setupCode(empty), organisation: short, name: shortName, email: me, password }),
    });
    expect(made.status, await made.text()).toBe(200);
    const owners = await signedInContext(browser, empty, { email: me, password });
    const post = async (path: string, data: object): Promise<unknown> =>
      (await owners.request.post(`/api/administration/${path}`, { data, headers })).json();
    const { sent } = sentInvitations.parse(await post('invitations', { emails: [other] }));
    const { members } = administeredMembers.parse(await (await owners.request.get('/api/administration/members')).json());
    const reset = sentLink.parse(await post(`members/${members[0]?.user_id}/reset`, {}));

    for (const [what, hash] of [
      ['the sign-in', ''],
      ['an invitation', new URL(sent[0]?.link ?? '').hash],
      ['a new password', new URL(reset.link).hash],
    ]) {
      const { page, settled } = await watchedPage(await browser.newContext({ baseURL: empty.url }));
      await page.goto(`/${hash}`);
      await expect(page.getByText('data-hostile').first()).toBeVisible();
      await settled(`${what}`);
    }
    const { page: theirs, settled: settledForThem } = await watchedPage(owners);
    await theirs.goto('/#/administration/invitations');
    await expect(theirs.getByText(other)).toBeVisible();
    await settledForThem('the invitations');
  });

  test('[R7] Hostile texts that the server renders as HTML for other clients run no script, even without content security policy', async ({
    browser,
    product,
  }) => {
    const { connection } = await apiOf(product, other);
    await subscribe(connection, { subscriptions: [{ name: '外の道具' }], principals: [me, other] });
    const rendered: string[] = [];
    for (const content of attackTexts) {
      const { id } = await sendMessage(connection, { type: 'stream', to: '外の道具', topic: 'html', content });
      rendered.push((await getMessage(connection, { message_id: id, apply_markdown: true })).message.content);
    }
    const context = await browser.newContext();
    const { ran } = await watch(context);
    const page = await context.newPage();
    // Parses the HTML, serialises it and parses it again.
    await page.setContent(`<!doctype html><body>${rendered.map((html) => `<article>${html}</article>`).join('\n')}`);
    await page.evaluate(() => {
      document.body.innerHTML = `${document.body.innerHTML}`;
    });
    await page.locator('article').last().waitFor();
    expect(await strange(page)).toEqual([]);
    await expect(page.locator('article')).toHaveCount(rendered.length);
    expect(ran.filter((what) => !what.startsWith('error'))).toEqual([]);
  });
});

test.describe('Hostile files', () => {
  test('[R3.3.2, R5.3.2] Hostile files run no script on a card, in the large view, in the list of files, or when opened by address', async ({
    browser,
    product,
  }) => {
    const writer = await apiOf(product, other);
    const name = 'あやしい書類';
    await subscribe(writer.connection, { subscriptions: [{ name }], principals: [me, other] });
    const { stream_id } = await getStreamId(writer.connection, { stream: name });
    const sent: { readonly id: number; readonly address: string }[] = [];
    const files = [
      ...attackFiles,
      ...attackFileNames.map((each) => [each, 'text/html', Buffer.from('<script>ran(1)</script>')] as const),
    ];
    for (const [fileName, type, content] of files) {
      const { said, address } = await writer.upload(fileName, type, content);
      const { id } = await sendMessage(writer.connection, { type: 'stream', to: name, topic: 'files', content: said });
      sent.push({ id, address });
    }

    const context = await signedInContext(browser, product, me);
    const { ran } = await watch(context);
    const page = await context.newPage();
    await page.goto(`/#/stream/${stream_id}`);
    await expect(messages(page).last()).toBeVisible();
    for (const { id, address } of sent) {
      await goTo(page, stream_id, id);
      await expect(messages(page).locator(`a[href^="${address}"]`).first()).toBeVisible();
      expect(await strange(page)).toEqual([]);
    }

    await page.getByRole('button', { name: 'その他の操作' }).first().click();
    await page.getByRole('menuitem', { name: 'プロフィールを表示' }).click();
    await page.getByRole('dialog').getByRole('radio', { name: 'ファイル' }).click();
    await expect(
      page.getByRole('dialog').getByRole('list', { name: 'ファイルの一覧' }).getByRole('listitem').first(),
    ).toBeVisible();
    expect(await strange(page)).toEqual([]);

    const visitor = await context.newPage();
    for (const { address } of sent) {
      const { status, headers } = await visitor
        .context()
        .request.get(address)
        .then((answer) => ({ status: answer.status(), headers: answer.headers() }));
      expect([address, status]).toEqual([address, 200]);
      expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w.() -]*"; filename\*=UTF-8''[\w.!~%-]*$/);
      expect(headers['content-type']).toMatch(/^(?:application\/(?:octet-stream|pdf)|image\/(?:png|jpeg|gif|webp|avif))$/);
      expect(headers).not.toHaveProperty('x-ran');
      const saved = visitor.waitForEvent('download');
      await expect(visitor.goto(address)).rejects.toThrow(/Download is starting/);
      const suggested = (await saved).suggestedFilename();
      expect(suggested).not.toMatch(/[\\/\r\n\0\u202e\u2066]/);
    }
    expect(ran).toEqual([]);
  });

  test('[R5.2] A hostile profile picture runs no script when opened by its address', async ({ browser, product }) => {
    const writer = await apiOf(product, other);
    const [pixels, tail] = [
      png(16, 16, () => [10, 120, 60]),
      Buffer.from('<html><script>ran(1);alert(1)</script><svg onload=ran(1)>'),
    ];
    const image = new File([new Uint8Array(Buffer.concat([pixels, tail]))], '"><svg onload=ran(1)>.html', { type: 'text/html' });
    await writer.post('/api/profile', { name: '佐藤 美咲', email: other, location: '本社', image });
    const { members } = await getUsers(writer.connection, {});
    const picture = members.find(({ email }) => email === other)?.avatar_url ?? '';
    expect(picture).toMatch(/^\/api\/avatars\//);

    const context = await signedInContext(browser, product, me);
    const { ran } = await watch(context);
    const page = await context.newPage();
    const answer = await page.goto(picture);
    expect(answer?.headers()).toMatchObject({
      'content-type': 'image/png',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(await page.locator('script, svg, [onload]').count()).toBe(0);
    for (const [name, type, content] of attackFiles.filter(([each]) => !/^(?:PNG|JPEG|GIF|WebP)/.test(each))) {
      const body = new FormData();
      const fields = {
        name: '佐藤 美咲',
        email: other,
        location: '本社',
        image: new File([new Uint8Array(content)], name, { type }),
      };
      for (const [field, value] of Object.entries(fields)) body.append(field, value);
      const refused = await fetch(`${product.url}/api/profile`, {
        method: 'POST',
        body,
        headers: { authorization: writer.authorization },
      });
      expect([name, refused.status]).toEqual([name, 400]);
    }
    // Chromium shows a picture in a separate page, whose inline style the policy blocks.
    expect(ran.filter((what) => !what.includes('Applying inline style'))).toEqual([]);
  });
});
