import { composeFileMessage, getMessages, maxMessageLength, renderMessage, sendMessage, updateSettings } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { elementsIn, textIn } from '../testing/elements.ts';
import { queueOf } from '../testing/queue.ts';
import { attributes, tags } from './htmlElement.ts';

const advertising = '広報 1.0';
const [anyStream] = eg.organisation().streams;
if (!anyStream) throw new Error('need a stream to make another like it');

const organisation = eg.organisation({
  streams: [...eg.organisation().streams, { ...anyStream, name: advertising, invite_only: false }],
  emoji: [
    { name: 'engawa', source_url: '/emoji/engawa.png', author: eg.emailOf('tanaka'), deactivated: false },
    { name: 'tea', source_url: '/emoji/tea.png', author: eg.emailOf('tanaka'), deactivated: false },
    { name: 'gone', source_url: '/emoji/gone.png', author: eg.emailOf('tanaka'), deactivated: true },
  ],
  linkifiers: [
    { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' },
    { pattern: '(?P<path>[a-z]+/[a-z]+)@[0-9a-f]{7}', url_template: 'https://git.example/{+path}?q={path}' },
    { pattern: 'run (?P<code>\\S+)', url_template: 'javascript:{code}' },
    { pattern: '(', url_template: 'https://broken.example/' },
  ],
});

/** Renders text as the server does for the given client. */
async function setup(client = 'ZulipMobile', name = 'tanaka') {
  const server = await eg.server({ organisation });
  const reader = eg.signIn(server, name);
  const render = async (content: string) => {
    const reply = await reader.raw({ method: 'POST', path: '/messages/render', form: { content, client } });
    return renderMessage.answer.parse(JSON.parse(reply.text)).rendered;
  };
  return { server, render };
}

const code = (text: string, language = '') =>
  `<div class="codehilite"${language}><pre><span></span><code>${text}\n</code></pre></div>`;
const emoji = (name: string, written: string, hexadecimal: string) =>
  `<span aria-label="${written}" class="emoji emoji-${hexadecimal}" role="img" title="${written}">:${name}:</span>`;

it.each([
  ['一\n二\n\n三', '<p>一<br>\n二</p>\n<p>三</p>'],
  ['*a* **b** ***c*** ~~d~~', '<p><em>a</em> <strong>b</strong> <strong><em>c</em></strong> <del>d</del></p>'],
  ['`<b>`', '<p><code>&#60;b&#62;</code></p>'],
  ['```js\n1 < 2\n```', code('1 &#60; 2', ' data-code-language="js"')],
  ['~~~\nx\n~~~', code('x')],
  ['```math\nx^2\n```', code('x^2', ' data-code-language="math"')],
  ['$$x^2$$', '<p><code>$$x^2$$</code></p>'],
  ['> 一\n答え', '<blockquote>\n<p>一</p>\n</blockquote>\n<p>答え</p>'],
  ['```quote\n一\n```', '<blockquote>\n<p>一</p>\n</blockquote>'],
  ['- 一\n  1. 二\n- 三', '<ul>\n<li>一\n<ol>\n<li>二</li>\n</ol></li>\n<li>三</li>\n</ul>'],
  ['3. 三', '<ol start="3">\n<li>三</li>\n</ol>'],
  ['- 一\n\n  二', '<ul>\n<li><p>一</p>\n<p>二</p></li>\n</ul>'],
  ['## 見出し', '<h2>見出し</h2>'],
  ['---', '<hr>'],
  ['https://example.com/を見て', '<p><a href="https://example.com/">https://example.com/</a>を見て</p>'],
  ['[社内報](https://example.com/?a=1&b=2)', '<p><a href="https://example.com/?a=1&#38;b=2">社内報</a></p>'],
  ['[x.png](/user_uploads/1/ab/x.png)', '<p><a href="/user_uploads/1/ab/x.png">x.png</a></p>'],
  ['<time:2026-11-20T10:00+09:00>', '<p><time datetime="2026-11-20T01:00:00Z">2026-11-20T10:00+09:00</time></p>'],
  ['@**all**', '<p><span class="user-mention" data-user-id="*">@all</span></p>'],
  ['@_**all**', '<p><span class="user-mention silent" data-user-id="*">all</span></p>'],
  ['@**topic** @_**topic**', '<p>@**topic** @_**topic**</p>'],
  ['@*営業*', '<p>@*営業*</p>'],
  ['@**誰か** @_**誰か|99**', '<p>@**誰か** @_**誰か|99**</p>'],
  [':smile:', `<p>${emoji('smile', 'smile', '1f642')}</p>`],
  [':thumbs_up:', `<p>${emoji('thumbs_up', 'thumbs up', '1f44d')}</p>`],
  [':engawa:', '<p><img alt=":engawa:" class="emoji" src="/emoji/engawa.png" title="engawa"></p>'],
  [':tea:', '<p><img alt=":tea:" class="emoji" src="/emoji/tea.png" title="tea"></p>'],
  [':gone: :nosuch:', '<p>:gone: :nosuch:</p>'],
  ['#12と#13', '<p><a href="https://tickets.example/12">#12</a>と<a href="https://tickets.example/13">#13</a></p>'],
  ['a/b@0123abc', '<p><a href="https://git.example/a/b?q=a%2Fb">a/b@0123abc</a></p>'],
  ['run alert(1)', '<p>run alert(1)</p>'],
  ['/me は出かけます', '<p>/me は出かけます</p>'],
])('[R7.6] renderHtml renders %j', async (content, html) => {
  const { render } = await setup();
  expect(await render(content)).toBe(html);
});

it('[R7.6] renderHtml renders a spoiler as a header and hidden content', async () => {
  const { render } = await setup();
  expect(await render('```spoiler 結末\n犯人\n```')).toBe(
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>結末</p>\n</div>' +
      '<div class="spoiler-content" aria-hidden="true">\n<p>犯人</p>\n</div></div>',
  );
});

it('[R7.6] renderHtml renders a table', async () => {
  const { render } = await setup();
  expect((await render('a | b\n--|--\n1 | *2*')).replaceAll('\n', '')).toBe(
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><em>2</em></td></tr></tbody></table>',
  );
});

it('[R7.6] renderHtml renders mentions by name, by id and by both, and marks a silent mention as silent', async () => {
  const { server, render } = await setup();
  const sato = server.user('sato');
  const mention = `<span class="user-mention" data-user-id="${sato}">@佐藤 花子</span>`;
  expect(await render('@**佐藤 花子**')).toBe(`<p>${mention}</p>`);
  expect(await render(`@**|${sato}** @**佐藤 花子|${sato}**`)).toBe(`<p>${mention} ${mention}</p>`);
  expect(await render(`@**伊藤 誠|${sato}**`)).toBe(`<p>${mention}</p>`);
  expect(await render('@**佐藤 花子|999**')).toBe('<p>@**佐藤 花子|999**</p>');
  const silent = `<span class="user-mention silent" data-user-id="${sato}">佐藤 花子</span>`;
  expect(await render('@_**佐藤 花子**')).toBe(`<p>${silent}</p>`);
});

it('[R7.6] [R4.12] renderHtml renders a mention of a member’s former name with the current name', async () => {
  const { server, render } = await setup();
  await eg.signIn(server, 'sato').ok(updateSettings, { full_name: '加藤 花子' });
  const mention = `<span class="user-mention" data-user-id="${server.user('sato')}">@加藤 花子</span>`;
  expect(await render('@**佐藤 花子**')).toBe(`<p>${mention}</p>`);
});

it('[R7.6] renderHtml renders links to a public stream, a topic and a message', async () => {
  const { server, render } = await setup();
  const id = server.stream(advertising);
  const href = `/#narrow/stream/${id}-.E5.BA.83.E5.A0.B1-1.2E0`;
  expect(await render(`#**${advertising}**`)).toBe(
    `<p><a class="stream" data-stream-id="${id}" href="${href}">#広報 1.0</a></p>`,
  );
  expect(await render(`#**${advertising}>a (b)**`)).toBe(
    `<p><a class="stream-topic" data-stream-id="${id}" href="${href}/topic/a.20.28b.29">#広報 1.0 &#62; a (b)</a></p>`,
  );
  expect(await render(`#**${advertising}>a@7**`)).toBe(
    `<p><a class="message-link" href="${href}/topic/a/near/7">#広報 1.0 &#62; a @ 💬</a></p>`,
  );
});

it('[R7.6] renderHtml renders a private stream as plain text without a link, even for its subscribers', async () => {
  const { render } = await setup();
  expect(await render(`#**${eg.general}** #**${eg.general}>a** #**${eg.general}>a@1**`)).toBe(
    `<p>#${eg.general} #${eg.general} &#62; a #${eg.general} &#62; a</p>`,
  );
  expect(await render('#**ないもの**')).toBe('<p>#ないもの</p>');
});

it('[R7.6] [R6.1] renderHtml renders a public stream as plain text for guests, while other members get a link in the same event', async () => {
  const { server, render } = await setup('ZulipMobile', 'takahashi');
  expect(await render(`#**${advertising}**`)).toBe('<p>#広報 1.0</p>');

  const request = { event_types: ['message'], apply_markdown: true };
  const listeners = ['sato', 'takahashi', 'suzuki'].map((name) => queueOf(eg.signIn(server, name), request));
  const received = (await Promise.all(listeners)).map((queue) => queue.wait());
  await settled();
  const sending = { type: 'stream', to: eg.general, topic: 't', content: `#**${advertising}**` };
  await eg.signIn(server, 'tanaka').ok(sendMessage, sending);
  const contents = (await Promise.all(received)).map(([event]) => event?.type === 'message' && event.message.content);
  const link = expect.stringContaining('<a class="stream"');
  expect(contents).toEqual([link, '<p>#広報 1.0</p>', link]);
});

it('[R7.6] renderHtml renders text in the markup dialect of the web client', async () => {
  const { render } = await setup('Engawa');
  expect(await render('*太字* _斜体_ ~取消~ °下線°\n- 項目\n\n次')).toBe(
    '<p><strong>太字</strong> <em>斜体</em> <del>取消</del> °下線°<br>\n- 項目</p>\n<p>次</p>',
  );
});

it('[R7.6] [R2.14] renderHtml renders nested quotes and code in the markup dialect of the web client', async () => {
  const { render } = await setup('Engawa');
  expect(await render('> 一\n> > 二\n> ```\n> 三\n> ```\n答え')).toBe(
    `<blockquote>\n<p>一</p>\n<blockquote>\n<p>二</p>\n</blockquote>\n${code('三')}\n</blockquote>\n<p>答え</p>`,
  );
});

it('[R7.6] [R3.3.2] renderHtml renders a file message as a link to the file', async () => {
  const { render } = await setup('Engawa');
  const file = { name: '見積 "最終".xlsx', storedName: 'abcdefghij0123456789.xlsx', size: 10 };
  expect(await render(composeFileMessage(file))).toBe(
    '<p><a href="/api/storage/temp/abcdefghij0123456789.xlsx">見積 &#34;最終&#34;.xlsx</a></p>',
  );
});

it('[R7.6] GET /messages parses a message in the markup dialect of the client that sent it, not of the reading client', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const sending = { type: 'stream', to: eg.general, topic: 't', content: '*x*' };
  const sent = async (client: string) => {
    const reply = await tanaka.raw({ method: 'POST', path: '/messages', form: { ...sending, client } });
    return sendMessage.answer.parse(JSON.parse(reply.text)).id;
  };
  const ids = [await sent('Engawa'), await sent('website')];
  const request = { anchor: String(ids[0]), num_before: 0, num_after: 1 };
  const { messages } = await eg.signIn(server, 'sato').ok(getMessages, request);
  expect(messages.map(({ content }) => content)).toEqual(['<p><strong>x</strong></p>', '<p><em>x</em></p>']);
});

it.each([
  ['/me は出かけます', true],
  ['/me *一*\n二', true],
  ['/me 一\n\n二', false],
  ['/me 一\n```\n二\n```', false],
  ['/meさん', false],
  ['> /me 一', false],
])('The message %j has is_me_message %s', async (content, expected) => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { id } = await tanaka.ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content });
  const request = { anchor: String(id), num_before: 0, num_after: 0, apply_markdown: false };
  expect(await tanaka.ok(getMessages, request)).toMatchObject({ messages: [{ is_me_message: expected }] });
});

const scripts = ['<script>alert(1)</script>', '</p><script>', '<img src=x onerror=alert(1)>', '<svg/onload=alert(1)>'];
const quotes = ['"', "'", '" onclick="alert(1)', "' onclick='alert(1)", '">'];
const entities = ['&quot;', '&#34;', '&lt;script&gt;', '&amp;#60;'];
const schemes = ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,<script>', 'vbscript:x'];
const elsewhere = ['//evil.example', '/\\evil.example', '\\\\evil.example', '/\t/evil.example'];
const contexts = [
  (payload: string) => payload,
  (payload: string) => `[${payload}](https://a.example/${payload})`,
  (payload: string) => `[x](${payload})`,
  (payload: string) => `[${payload}](/user_uploads/${payload})`,
  (payload: string) => `https://a.example/${payload}`,
  (payload: string) => `**_~*${payload}*~_**`,
  (payload: string) => `\`${payload}\` \`\`\`${payload}\`\`\``,
  (payload: string) => `\`\`\`${payload}\n${payload}\n\`\`\``,
  (payload: string) => `~~~spoiler ${payload}\n> - ${payload}\n~~~`,
  (payload: string) => `@**${payload}** @_**${payload}|1** @*${payload}*`,
  (payload: string) => `#**${payload}** #**${advertising}>${payload}** #**${payload}>${payload}@1**`,
  (payload: string) => `:${payload}: <time:${payload}> $$${payload}$$`,
  (payload: string) => `${payload} | ${payload}\n-- | --\n${payload} | ${payload}`,
  (payload: string) => `#1${payload} a/b@0123abc${payload} run ${payload}`,
  (payload: string) => `engawa-file,${payload},abcdefghij0123456789.png,1`,
  (payload: string) => `# ${payload}\n1. ${payload}\n* ${payload}\n> ${payload}`,
  (payload: string) => `/me ${payload.repeat(500)}`,
];

describe.each(['Engawa', 'ZulipMobile'])('[R5.3.2] Text rendered for %s', (client) => {
  it('renderHtml returns only allowed tags, attributes and addresses, whatever a message contains', async () => {
    const { render } = await setup(client);
    for (const payload of [...scripts, ...quotes, ...entities, ...schemes, ...elsewhere]) {
      for (const embed of contexts) {
        for (const element of elementsIn(await render(embed(payload)))) expect(element).toSatisfy(isAllowed);
      }
    }
  });

  it('renderHtml keeps every character of a text without markup', async () => {
    const { render } = await setup(client);
    for (const payload of [...scripts, ...quotes, ...entities]) expect(textIn(await render(payload))).toBe(payload);
  });

  it('renderHtml returns only allowed HTML for very long or deeply nested text', async () => {
    const { render } = await setup(client);
    for (const part of ['<', '&', '"', '> ', '- ', '*a _b ~c ', '[x](', '```quote\n', '@**<', '&#60;']) {
      const html = await render(part.repeat(maxMessageLength / part.length));
      for (const element of elementsIn(html)) expect(element).toSatisfy(isAllowed);
    }
  });
});

function isAllowed({ tag, attributes: given }: ReturnType<typeof elementsIn>[number]): boolean {
  const { href = '/', src = '/' } = given;
  return (
    tags.some((each) => each === tag) &&
    Object.keys(given).every((name) => attributes.some((each) => each === name)) &&
    [href, src].every((address) => /^(?:https?:\/\/|mailto:|\/(?![/\\]))/i.test(address))
  );
}
