import { configurationOf } from '../configuration.ts';
import { isHealthy } from '../installation/health.ts';
import type { Command } from './command.ts';

export const healthCommand: Command = {
  name: 'health',
  form: '',
  summary: {
    ja: 'この設定で動いている縁側が応答し、書き込めるかを確かめます。',
    en: 'Checks whether the Engawa that runs with these settings answers and can write.',
  },
  options: {},
  words: { least: 0, most: 0 },
  notes: ['コンテナーの点検に使えます。', 'It is the health check of containers.'],
  async run(_given, { environment, say, warn }) {
    if (await isHealthy(configurationOf(environment))) {
      say('正常です。 / Healthy.');
      return 0;
    }
    warn('応答しないか、書き込めません。 / Engawa does not answer or cannot write.');
    return 1;
  },
};
