import { describe, expect, it } from 'vitest';
import { commands } from './commands/run.ts';
import { settingNames } from './configuration.ts';
import { examplesOf, guideText } from './testing/guide.ts';

describe.each(['ja', 'en'] as const)('the guide in the language %s', (language) => {
  const text = guideText(language);

  it(`The guide in the language ${language} lists every setting in its table`, () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    expect(settingNames.options.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
  });

  it(`The guide in the language ${language} mentions every command of the operator`, () => {
    expect(commands.filter(({ name }) => !text.includes(name)).map(({ name }) => name)).toEqual([]);
  });
});

it.each(['sh', 'ini', 'nginx', 'caddy', 'yaml', 'cron'])(
  'The Japanese and the English guide have the same examples in %s',
  (code) => {
    const [ja, en] = (['ja', 'en'] as const).map((language) =>
      examplesOf(code, language).map((example) => example.replaceAll(/<[^>]*>/g, '<…>')),
    );
    expect(en).not.toEqual([]);
    expect(ja).toEqual(en);
  },
);
