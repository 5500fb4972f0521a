import { expect, it } from 'vitest';
import { en } from '../../i18n/bots.en.ts';
import { ja } from '../../i18n/bots.ja.ts';
import { botFailureText } from './useBotFailure.ts';

const dictionaries = { ja, en };
const codes = ['NAME_IN_USE', 'EMAIL_IN_USE', 'BOT_CREATION_OFF', 'BOT_CREATION_ADMINISTRATORS', 'TOO_MANY_BOTS'] as const;

it.each(['ja', 'en'] as const)('Each refusal of a bot that has its own code has its own text (%s)', (locale) => {
  const texts = codes.map((code) => botFailureText(dictionaries[locale], { kind: 'refused', code, message: 'English' }));
  expect(texts).not.toContain(undefined);
  expect(new Set(texts).size).toBe(codes.length);
});

it('`botFailureText` returns undefined for failures that are not specific to bots', () => {
  const refused = { kind: 'refused', code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization owner' } as const;
  expect(botFailureText(ja, refused)).toBeUndefined();
  expect(botFailureText(ja, { kind: 'network' })).toBeUndefined();
});
