import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { engawaIn } from '../testing/commandLine.ts';
import { emptyDirectory } from '../testing/organisation.ts';
import { fingerprintOf } from './verify.ts';

const ours = generateKeyPairSync('ed25519');

/** A signed archive with its sums, and the file of our public key. */
function released({ by = ours.privateKey }: { readonly by?: KeyObject } = {}) {
  const folder = emptyDirectory();
  const [archive, key] = [join(folder, 'engawa-1.0.0-linux-x64.tar.gz'), join(folder, 'key.pub')];
  const content = Buffer.from('縁側'.repeat(100_000));
  writeFileSync(archive, content);
  const sums = `${createHash('sha256').update(content).digest('hex')}  engawa-1.0.0-linux-x64.tar.gz\n`;
  writeFileSync(join(folder, 'SHA256SUMS'), sums);
  writeFileSync(join(folder, 'SHA256SUMS.sig'), sign(null, Buffer.from(sums), by).toString('base64'));
  writeFileSync(key, ours.publicKey.export({ type: 'spki', format: 'pem' }));
  return { folder, archive, key };
}

const verify = (archive: string, key: string) => engawaIn(emptyDirectory(), ['verify', archive, '--key', key]);

it('`engawa verify` accepts a signed archive and names the key', async () => {
  const { archive, key } = released();
  const { code, said } = await verify(archive, key);
  expect([code, said]).toEqual([0, expect.stringContaining(fingerprintOf(ours.publicKey))]);
});

it.each([
  ['the archive', 'engawa-1.0.0-linux-x64.tar.gz', 'does not match'],
  ['the file of sums', 'SHA256SUMS', 'was not signed'],
  ['the signature', 'SHA256SUMS.sig', 'was not signed'],
])('`engawa verify` refuses an archive if %s was changed', async (_, file, words) => {
  const { folder, archive, key } = released();
  writeFileSync(join(folder, file), 'another');
  const { code, said, warned } = await verify(archive, key);
  expect([code, said, warned]).toEqual([1, '', expect.stringContaining(words)]);
});

it('`engawa verify` refuses an archive that another key has signed', async () => {
  const { archive, key } = released({ by: generateKeyPairSync('ed25519').privateKey });
  expect(await verify(archive, key)).toMatchObject({ code: 1, warned: expect.stringContaining('was not signed') });
});

it('`engawa verify` names a missing file, and asks for a key if the running version is not signed', async () => {
  const { archive, key } = released();
  const elsewhere = join(emptyDirectory(), 'engawa-1.0.0-linux-x64.tar.gz');
  writeFileSync(elsewhere, '');
  expect(await verify(elsewhere, key)).toMatchObject({ code: 1, warned: expect.stringContaining('SHA256SUMS') });
  expect(await verify(archive, archive)).toMatchObject({ code: 1, warned: expect.stringContaining('cannot be read') });
  expect(await engawaIn(emptyDirectory(), ['verify', archive])).toMatchObject({
    code: 2,
    warned: expect.stringContaining('--key'),
  });
});
