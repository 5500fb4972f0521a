/** The operator's guide, whose examples the tests run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type GuideLanguage = 'ja' | 'en';

export const guideText = (language: GuideLanguage): string =>
  readFileSync(join(import.meta.dirname, `../../../../docs/operations.${language}.md`), 'utf8');

/** The code blocks of a language, without comments, which are in the language of the guide. */
export function examplesOf(language: string, guide: GuideLanguage = 'en'): string[] {
  const blocks = guideText(guide).matchAll(new RegExp(`^ *\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'));
  return [...blocks].map(([, code = '']) => code.replaceAll(/(?:^| +)#.*$/gm, ''));
}
