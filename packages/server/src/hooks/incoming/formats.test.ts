import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { written } from '../content.ts';
import { formats } from './formats.ts';

/** Payloads from the documentation of their senders; `payloads/sources.md` has the addresses. */
const payload = (name: string): unknown => JSON.parse(readFileSync(new URL(`payloads/${name}.json`, import.meta.url), 'utf8'));

function read(format: string, body: unknown, space?: string) {
  const message = formats.get(format)?.(body, space);
  if (!message) throw new Error(`there is no format ${format}`);
  return { ...message, content: written(message.cards).content };
}

describe('Redmine', () => {
  it('A new issue of the plug-in redmine_webhook shows its author, link, text and state', () => {
    expect(read('redmine', payload('redminePlugin'))).toEqual({
      topic: 'Test Project',
      cards: [
        {
          color: '#daa038',
          parts: [
            { kind: 'note', text: 'user test さんがチケットを作成しました' },
            { kind: 'title', text: 'bug #191: Found a bug', url: 'https://example.com' },
            { kind: 'text', text: "I'm having a problem with this." },
            {
              kind: 'fields',
              fields: [
                { title: '状態', value: 'new', short: true },
                { title: '優先度', value: 'normal', short: true },
                { title: '担当者', value: 'user test', short: true },
              ],
            },
            { kind: 'note', text: 'Test Project' },
          ],
        },
      ],
      content: [
        'user test さんがチケットを作成しました',
        '**[bug #191: Found a bug](https://example.com)**',
        "I'm having a problem with this.",
        '**状態**: new\n**優先度**: normal\n**担当者**: user test',
        'Test Project',
      ].join('\n\n'),
    });
  });

  it('An updated issue of Redmine itself shows the comment, which mentions nobody', () => {
    const { content } = read('redmine', payload('redmineCore'));
    expect(content).toContain('John Smith さんがチケットを更新しました\n\n**Bug #1: Cannot print recipes**');
    expect(content).toContain('A comment with *stars* & @\u2060**all**');
    expect(content).toContain('**期日**: 2026-05-11\n**進捗率**: 30%');
  });
});

describe('Backlog', () => {
  it('A new issue has a link if the address names the space', () => {
    expect(read('backlog', payload('backlogIssue'), 'https://niwa.backlog.jp/').content).toBe(
      'ozamasa さんが課題を追加しました\n\n**[TEST-100 test issue](https://niwa.backlog.jp/view/TEST-100)**\n\ntest description\n\nTestProject',
    );
    expect(read('backlog', payload('backlogIssue'), 'javascript:alert(1)').content).toContain('**TEST-100 test issue**');
  });

  it('A changed issue shows what changed, by names instead of numbers', () => {
    expect(read('backlog', payload('backlogUpdate')).content).toContain('**優先度**: 中 → 高');
  });
});

describe('Zabbix', () => {
  it('A problem has the colour of its severity, and a recovery is green', () => {
    const problem = read('zabbix', payload('zabbix'));
    expect(problem.topic).toBe('www.example.com');
    expect(problem.cards[0]?.color).toBe('#ffa059');
    expect(problem.content).toBe(
      [
        '障害',
        '**[Zabbix agent on www.example.com is unreachable for 5 minutes](https://zabbix.example.com/tr_events.php?triggerid=14032&eventid=10528)**',
        '**ホスト**: www.example.com\n**深刻度**: Average\n**アイテム**: Agent ping is Up (1)',
      ].join('\n\n'),
    );
    const recovered = read('zabbix', { Subject: 'Resolved', Message: 'Disk *OK* @**all**', status: 'OK', severity: 'High' });
    expect(recovered.cards[0]?.color).toBe('#2eb886');
    expect(recovered.content).toContain('Disk ＊OK＊ ＠＊＊all＊＊');
  });
});

describe('Alertmanager and Grafana', () => {
  it('An alert of Alertmanager shows its name, texts, labels and time', () => {
    const { topic, cards, content } = read('alertmanager', payload('alertmanager'));
    expect(topic).toBe('ProbeFailure');
    expect(cards.map(({ color }) => color)).toEqual(['#a30200']);
    expect(content).toContain(
      '**[ProbeFailure](http://prometheus.example.org:9090/graph?g0.expr=probe_success+%3D%3D+0&g0.tab=1)**',
    );
    expect(content).toContain('Instance https://server.example.org has been down for over 5m. Job: http_checks');
    expect(content).toContain('**深刻度**: critical\n**instance**: https://server.example.org');
    expect(content).toContain('開始 <time:1675688925>');
  });

  it('Two alerts of Grafana are two cards, and a resolved one is green', () => {
    const { cards, content } = read('grafana', payload('grafana'));
    expect(cards.map(({ color }) => color)).toEqual(['#a30200', '#2eb886']);
    expect(content).toContain('[手順書](https://myrunbook.com/runbook/1234) · [通知を止める](https://play.grafana.org/');
    expect(content).toContain('**値 B**: 44.23943737541908');
  });

  it('More than ten alerts are counted instead of shown', () => {
    const alerts = Array.from({ length: 13 }, (_, index) => ({ status: 'firing', labels: { alertname: `A${index}` } }));
    const { cards, content } = read('alertmanager', { status: 'firing', alerts, truncatedAlerts: 2 });
    expect(cards).toHaveLength(11);
    expect(content).toMatch(/ほか 5 件のアラート$/);
  });
});

describe('GitLab', () => {
  it('A push lists its commits with links', () => {
    expect(read('gitlab', payload('gitlabPush')).content).toBe(
      [
        'John Smith さんがブランチにプッシュしました',
        '**[master（4 件のコミット）](http://example.com/mike/diaspora/-/tree/master)**',
        [
          '[b6568db1](http://example.com/mike/diaspora/commit/b6568db1bc1dcd7f8b4d5a946b0b91f9dacd7327) Update Catalan translation to e38cb41. — Jordi Mallach',
          '[da156088](http://example.com/mike/diaspora/commit/da1560886d4f094c3e6c9ef40349f7d38b5d27d7) fixed readme — GitLab dev user',
          'ほか 2 件のコミット',
        ].join('\n'),
        '[mike/diaspora](http://example.com/mike/diaspora)',
      ].join('\n\n'),
    );
  });

  it('A merge request shows its branches, assignees and labels', () => {
    expect(read('gitlab', payload('gitlabMergeRequest')).content).toBe(
      [
        'Administrator さんがマージリクエストを作成しました',
        '**[!1 MS-Viewport](http://example.com/diaspora/merge_requests/1)**',
        '**ブランチ**: ms-viewport → master\n**担当者**: User1\n**ラベル**: API',
        '[gitlabhq/gitlab-test](http://example.com/gitlabhq/gitlab-test)',
      ].join('\n\n'),
    );
  });

  it('A failed pipeline is red and names the failed jobs', () => {
    const { cards, content } = read('gitlab', payload('gitlabPipeline'));
    expect(cards[0]?.color).toBe('#a30200');
    expect(content).toContain('**所要時間**: 63 秒\n**失敗したジョブ**: test-build');
  });

  it.each([
    ['create', 'リリースを作成しました\n\n**[v1.1](https://gitlab.example/r/v1.1)**', '#2eb886'],
    ['update', 'リリースを更新しました\n\n**[v1.1](https://gitlab.example/r/v1.1)**', '#2eb886'],
    // Its page is gone.
    ['delete', 'リリースを削除しました\n\n**v1.1**', '#a30200'],
  ])('The action %s of a release is shown', (action, content, color) => {
    const release = { object_kind: 'release', name: 'v1.1', tag: 'v1.1', url: 'https://gitlab.example/r/v1.1', action };
    expect(read('gitlab', release)).toMatchObject({ content: `${content}\n\n**タグ**: v1.1`, cards: [{ color }] });
  });

  it('A comment on a commit shows its text under the first line of the commit', () => {
    expect(read('gitlab', payload('gitlabComment')).content).toMatch(
      /^Administrator さんがコメントしました\n\n\*\*\[cfe32cf6 Add submodule\]\(.+\)\*\*\n\nThis is a commit comment\. How does this work\?/,
    );
  });
});

describe('Slack-compatible senders', () => {
  it('An attachment with all of Slack’s fields becomes a card with a bar of its colour', () => {
    expect(read('slack_incoming', payload('slackAttachment'))).toEqual({
      topic: undefined,
      cards: [
        { parts: [{ kind: 'text', text: 'Optional pre-text that appears above the attachment block' }] },
        {
          color: '#36a64f',
          parts: [
            { kind: 'note', text: '[author_name](http://flickr.com/bobby/)' },
            { kind: 'title', text: 'title', url: 'https://api.slack.com/' },
            { kind: 'text', text: 'Optional `text` that appears within the attachment' },
            {
              kind: 'fields',
              fields: [
                { title: "A field's title", value: "This field's value", short: false },
                { title: "A short field's title", value: "A short field's value", short: true },
                { title: "A second short field's title", value: "A second short field's value", short: true },
              ],
            },
            { kind: 'note', text: '[画像](http://placekitten.com/g/200/200)' },
            { kind: 'note', text: 'footer · <time:123456789>' },
          ],
        },
      ],
      content: expect.stringContaining(
        "**A field's title**: This field's value\n**A short field's title**: A short field's value",
      ),
    });
  });

  it('Sections of blocks with bold first lines become titled fields', () => {
    expect(read('slack_incoming', payload('dellOpenManage')).cards).toEqual([
      {
        parts: [
          {
            kind: 'text',
            text: 'You have a new alert:\n**[The power supply is lost](https://10.6.31.15/core/console/console.html#/core/diagnostics/log)**',
          },
          {
            kind: 'fields',
            fields: [
              { title: 'Device IP Address', value: '[10.6.31.20](https://10.6.31.20)', short: true },
              { title: 'Time', value: '2021-01-26 19:36', short: true },
              { title: 'Severity', value: ':x: Critical', short: true },
              { title: 'Service tag', value: 'ABC1234', short: true },
            ],
          },
        ],
      },
    ]);
  });

  it('Headers, dividers, contexts, pictures and buttons of blocks have their own parts', () => {
    const { cards } = read('slack_incoming', {
      text: 'only for notifications',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Deploy &amp; check' } },
        { type: 'divider' },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: '*done*' },
          accessory: { type: 'image', image_url: 'https://a.example/p.png', alt_text: 'a graph' },
        },
        {
          type: 'context',
          elements: [
            { type: 'mrkdwn', text: 'by <!channel>' },
            { type: 'plain_text', text: '*plain*' },
          ],
        },
        { type: 'image', image_url: 'https://a.example/q.png', alt_text: 'x', title: { type: 'plain_text', text: 'Load' } },
        {
          type: 'actions',
          elements: [
            { type: 'button', text: { type: 'plain_text', text: 'Open' }, url: 'https://a.example/' },
            { type: 'static_select' },
          ],
        },
        { type: 'rich_text', elements: [] },
      ],
    });
    expect(cards).toEqual([
      {
        parts: [
          { kind: 'title', text: 'Deploy & check' },
          { kind: 'divider' },
          { kind: 'text', text: '**done**' },
          { kind: 'note', text: '[a graph](https://a.example/p.png)' },
          { kind: 'note', text: 'by @channel ＊plain＊' },
          { kind: 'note', text: '[Load](https://a.example/q.png)' },
          { kind: 'note', text: '[Open](https://a.example/)' },
        ],
      },
    ]);
  });

  it('A colour is a name, three or six digits; any other becomes grey', () => {
    const colours = ['good', 'warning', 'danger', '#abc', 'D00000', 'red; position: fixed', undefined];
    const { cards } = read('slack_incoming', { attachments: colours.map((color) => ({ color, text: 'x' })) });
    expect(cards.map(({ color }) => color)).toEqual([
      '#2eb886',
      '#daa038',
      '#a30200',
      '#aabbcc',
      '#d00000',
      '#717274',
      '#717274',
    ]);
  });

  it('A payload without any text, and one of a wrong form, are refused by Slack’s codes', () => {
    for (const body of [{}, { text: '  ' }, { attachments: [{}] }, { blocks: [{ type: 'divider2' }] }]) {
      expect(() => read('slack_incoming', body), JSON.stringify(body)).toThrow('no_text');
    }
    for (const body of [
      null,
      'x',
      [],
      { text: {} },
      { blocks: [{ type: 'section', text: 5 }] },
      { blocks: {} },
      { attachments: ['x'] },
    ]) {
      expect(() => read('slack_incoming', body), JSON.stringify(body)).toThrow('invalid_payload');
    }
  });
});

it.each([...formats.keys()])('The format %s refuses a body that is not one of its payloads', (format) => {
  for (const body of [null, 1, 'text', [], { object_kind: 'push' }, { type: 'x' }, { alerts: 5 }, { payload: [] }]) {
    expect(() => read(format, body), JSON.stringify(body)).toThrow(/^(?:invalid_payload|no_text)$/);
  }
});
