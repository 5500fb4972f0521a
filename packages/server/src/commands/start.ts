import type { Command } from './command.ts';

export const startCommand: Command = {
  name: 'start',
  form: '',
  summary: { ja: '縁側を起動します。', en: 'Starts Engawa.' },
  options: {},
  words: { least: 0, most: 0 },
  notes: [],
  async run() {
    await import('../main.ts');
    return 0;
  },
};
