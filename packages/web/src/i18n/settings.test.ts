import { expect, it } from 'vitest';
import { en } from './settings.en.ts';
import { ja, type SettingsDictionary } from './settings.ja.ts';

const questions = ({ page }: SettingsDictionary) => [page.losses(2, 1), page.losses(2, 0), page.losses(0, 1)];

it('[R2.1] The question before the sign-out counts messages and drafts, and says once that they are deleted', () => {
  expect(questions(ja)).toEqual([
    'まだ送られていないメッセージが 2 件あります。サーバーに未保存の下書きが 1 件あります。ログアウトすると消えます。',
    'まだ送られていないメッセージが 2 件あります。ログアウトすると消えます。',
    'サーバーに未保存の下書きが 1 件あります。ログアウトすると消えます。',
  ]);
  expect(questions(en)).toEqual([
    '2 messages have not been sent yet. 1 draft is not saved on the server yet. Logging out deletes them.',
    '2 messages have not been sent yet. Logging out deletes them.',
    '1 draft is not saved on the server yet. Logging out deletes it.',
  ]);
});
