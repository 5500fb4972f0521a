import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf, publicKeyIn, verifyArchive } from '../release/verify.ts';
import { type Command, UsageError, wordAt } from './command.ts';

/** The key that signed the running release. The sources and an unsigned release have none. */
const ownKey = join(import.meta.dirname, '../../release.pub');

export const verifyCommand: Command = {
  name: 'verify',
  form: '<archive> [--key FILE]',
  summary: {
    ja: 'アーカイブが署名どおりのものか、ネットワークなしで確かめます。',
    en: 'Checks offline that an archive is the one that was signed.',
  },
  options: {
    key: {
      type: 'string',
      ja: '公開鍵（PEM）。なければ、動いている版に署名した鍵',
      en: 'the public key (PEM); by default the one that signed the running version',
    },
  },
  words: { least: 1, most: 1 },
  notes: ['SHA256SUMS と SHA256SUMS.sig を同じ場所に置いてください。', 'Put SHA256SUMS and SHA256SUMS.sig into the same folder.'],
  async run(given, { say }) {
    const archive = wordAt(given, 0);
    const key = await publicKeyIn(keyFileOf(given.options['key']));
    await verifyArchive(archive, key);
    const fingerprint = fingerprintOf(key);
    say(`${archive} は署名どおりです（鍵 ${fingerprint}）。 / ${archive} is as it was signed (key ${fingerprint}).`);
    return 0;
  },
};

export function keyFileOf(given: string | boolean | undefined): string {
  if (typeof given === 'string') return given;
  if (existsSync(ownKey)) return ownKey;
  throw new UsageError(
    '動いている版は署名されていません。--key で公開鍵を指定してください。',
    'The running version is not signed. Name the public key with --key.',
  );
}
