import { describe, expect, it, vi } from 'vitest';
import { emojiCodes } from '../../../../build/emoji.ts';
import { ai, ken } from '../../../../test/organisation.ts';
import { screenOf } from '../../../../test/screen.tsx';
import { hasZulipMarkup, loadZulipMarkup, plainTextOf } from '../../../model/timeline/messageText.ts';
import { Markup } from './Markup.tsx';

vi.mock('../../../model/timeline/emojiCodes.ts', () => ({ loadEmojiCodes: () => Promise.resolve(emojiCodes()) }));

async function shown(source: string, dialect: 'engawa' | 'zulip') {
  await loadZulipMarkup();
  await import('./ZulipBlockView.tsx');
  const { container } = await screenOf(() => <Markup source={source} dialect={dialect} alerted={false} />);
  return container;
}

describe('A message of another program', () => {
  it('[R7.8] A message that is shown before the parser of its markup is loaded gets its marks, and its links keep the focus', async () => {
    expect(hasZulipMarkup()).toBe(false);
    const { container } = await screenOf(() => <Markup source="https://engawa.example/ *一*" dialect="zulip" alerted={false} />);
    const link = container.querySelector('a');
    link?.focus();
    expect(document.activeElement).toBe(link);
    await vi.waitFor(() => expect(container.querySelector('em')?.textContent).toBe('一'));
    expect(document.activeElement).toBe(link);
  });

  it('[R7.8] A message of a Zulip client is shown with its marks, and a message of our client with ours', async () => {
    const text = '*一* **二** ~~三~~';
    const zulip = await shown(text, 'zulip');
    expect([...zulip.querySelectorAll('em, strong, s')].map((each) => `${each.tagName} ${each.textContent}`)).toEqual([
      'EM 一',
      'STRONG 二',
      'S 三',
    ]);
    const engawa = await shown(text, 'engawa');
    expect([...engawa.querySelectorAll('em, strong')].map((each) => each.tagName)).toEqual(['STRONG', 'STRONG']);
  });

  it('[R7.8] A message of a Zulip client shows its emoji as characters, and an unknown one by its name', async () => {
    const zulip = await shown(':tada: :thumbs_up: :our_logo: :constructor:', 'zulip');
    expect(zulip.textContent).toBe('🎉 👍 :our_logo: :constructor:');
    const text = { content: '- :tada:\n\n| :tea: |\n|--|\n| x |', dialect: 'zulip' } as const;
    expect(plainTextOf(text)).toBe('• 🎉\n🍵\nx');
    expect((await shown(':tada:', 'engawa')).textContent).toBe(':tada:');
  });

  it('[R7.8] A message of a Zulip client shows lists, tables, headings, rules, formulas, quotes and spoilers', async () => {
    const source = [
      '# 見出し',
      '3. 三\n4. 四',
      '- 項目',
      '---',
      '```math\nx^2\n```',
      '```spoiler\n犯人\n```',
      '| 名 | 数 |\n|--|--|\n| 甲 | 1 |',
      '```quote\n引用\n```',
    ].join('\n');
    const message = await shown(source, 'zulip');
    await vi.waitFor(() => expect(message.querySelector('summary')).not.toBeNull());
    const texts = (selector: string) => [...message.querySelectorAll(selector)].map(({ textContent }) => textContent);
    expect(texts('ol[start="3"] li')).toEqual(['三', '四']);
    expect(texts('ul li')).toEqual(['項目']);
    expect(texts('hr')).toHaveLength(1);
    expect(texts('pre')).toEqual(['x^2']);
    expect(texts('summary')).toEqual(['伏せられた内容']);
    expect(message.querySelector('details')?.open).toBe(false);
    expect(texts('th[scope="col"], td')).toEqual(['名', '数', '甲', '1']);
    expect(texts('blockquote')).toEqual(['引用']);
    expect(message.textContent).not.toMatch(/[#|`]/);
  });

  it('[R7.8] A mention by a Zulip client is shown as the member it names', async () => {
    const message = await shown(`@**${ken.full_name}** @_**旧姓|${ai.user_id}** @**all**`, 'zulip');
    expect(message.textContent).toBe(`@${ken.full_name} ${ai.full_name} @全員`);
  });
});
