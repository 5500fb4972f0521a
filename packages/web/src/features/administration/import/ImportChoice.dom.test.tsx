import { expect, it } from 'vitest';
import type { Capability } from '@engawa/protocol/product';
import { screenOf } from '../../../../test/screen.tsx';
import { en } from '../../../i18n/import.en.ts';
import { ja } from '../../../i18n/import.ja.ts';
import { ImportChoice } from './ImportChoice.tsx';

async function choice(capabilities: readonly Capability[], locale: 'ja' | 'en') {
  const screen = await screenOf(() => <ImportChoice busy={false} onChoose={() => undefined} />, { capabilities, locale });
  const words = { ja, en }[locale].choose;
  const sample = screen.getByRole('link', { name: words.sample }).getAttribute('href') ?? '';
  const [titles = ''] = decodeURIComponent(sample.replace(/^data:[^,]*,/, '')).split(/\r?\n/);
  return { ...screen, words, titles, columns: screen.getAllByRole('term').map((term) => term.textContent) };
}

it.each(['ja', 'en'] as const)(
  '[R7.8] The import lists and samples no column that the chat server manages (%s)',
  async (locale) => {
    const { words, titles, columns, getByText } = await choice(['departments'], locale);
    expect(getByText(words.adviceElsewhere)).toBeTruthy();
    expect(columns).toHaveLength(words.columns.length - words.accountColumns.length);
    for (const column of words.accountColumns) {
      expect(columns).not.toContain(column);
      expect(titles.split(',')).not.toContain(column);
    }
    expect(titles.split(',')).toHaveLength(columns.length);
  },
);

it('[R7.8] The import lists all columns if the product manages accounts', async () => {
  const { words, titles, columns, getByText } = await choice(['departments', 'accounts'], 'ja');
  expect(getByText(words.advice)).toBeTruthy();
  expect(columns).toEqual(words.columns.map(([name]) => name));
  for (const column of words.accountColumns) expect(titles.split(',')).toContain(column);
});
