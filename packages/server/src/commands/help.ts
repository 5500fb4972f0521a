import type { Command } from './command.ts';

const nameWidth = 22;

export function helpOfAll(commands: readonly Command[]): string {
  return [
    'engawa: 縁側を動かし、管理します。',
    '        Runs and manages Engawa.',
    '',
    '使い方 / usage: engawa <command> [options]      engawa <command> --help',
    '',
    ...commands.flatMap(({ name, summary }) => row(name, summary)),
    '',
    '設定は起動のときと同じ環境変数です（DATA_DIR など）。一覧は docs/operations.ja.md にあります。',
    'Settings are the same environment variables as for the start (such as DATA_DIR): see docs/operations.en.md.',
    '',
    '終了コード / exit codes: 0 成功 done, 1 失敗または問題あり failed or problems found, 2 使い方の誤り wrong usage',
  ].join('\n');
}

export function helpOf({ name, form, summary, options, notes }: Command): string {
  const rows = Object.entries(options).flatMap(([option, words]) => {
    return row(`--${option}${words.type === 'string' ? ' …' : ''}`, words);
  });
  return [
    summary.ja,
    summary.en,
    '',
    `使い方 / usage: ${['engawa', name, form].filter((part) => part !== '').join(' ')}`,
    ...(rows.length > 0 ? ['', ...rows] : []),
    ...(notes.length > 0 ? ['', ...notes] : []),
  ].join('\n');
}

function row(name: string, { ja, en }: { readonly ja: string; readonly en: string }): string[] {
  return [`  ${name.padEnd(nameWidth)} ${ja}`, `  ${' '.repeat(nameWidth)} ${en}`];
}
