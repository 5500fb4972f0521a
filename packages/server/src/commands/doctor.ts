import { examine } from '../doctor/doctor.ts';
import type { Finding } from '../doctor/finding.ts';
import type { Command } from './command.ts';

const signs: Readonly<Record<Finding['level'], string>> = { ok: '✓', warning: '⚠', problem: '✗' };

export const doctorCommand: Command = {
  name: 'doctor',
  form: '[--json] [--backups DIR]',
  summary: { ja: 'データ、設定、機械の状態を調べます。', en: 'Checks the data, the settings and the machine.' },
  options: {
    json: { type: 'boolean', ja: '結果をプログラムの読める JSON で出す', en: 'prints the result as JSON' },
    backups: {
      type: 'string',
      ja: 'バックアップを日ごとに置くディレクトリ。新しいものがあるかも調べる',
      en: 'the directory that contains the daily backups; also checks for a recent one',
    },
  },
  words: { least: 0, most: 0 },
  notes: [
    '何も変更しません。縁側が動いていても使えます。✗ が 1 つでもあれば終了コードは 1 です。',
    'It changes nothing, and works while Engawa runs. The exit code is 1 if there is a ✗.',
  ],
  async run({ options }, { environment, say }) {
    const { backups } = options;
    const findings = await examine({
      environment,
      backups: typeof backups === 'string' ? backups : undefined,
      now: Date.now(),
    });
    const isFine = findings.every(({ level }) => level !== 'problem');
    if (options['json'] === true) say(JSON.stringify({ ok: isFine, findings }, undefined, 1));
    else for (const { level, ja, en } of findings) say(`${signs[level]} ${ja} / ${en}`);
    return isFine ? 0 : 1;
  },
};
