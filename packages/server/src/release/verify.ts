import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Failure, hasCode, reasonOf } from '../log/failure.ts';

/** The file of sums beside the archives of a release, in the form of `sha256sum`, and its signature in base64. */
const sumsFile = 'SHA256SUMS';
const signatureFile = 'SHA256SUMS.sig';

/**
 * Checks offline that an archive is the one whose sum the owner of the key has signed.
 * @param archive a path; the sums and their signature are in the same folder
 * @throws Failure if a file is missing or anything differs
 */
export async function verifyArchive(archive: string, key: KeyObject): Promise<void> {
  const [sums, signature] = await Promise.all([sumsFile, signatureFile].map((name) => readBeside(archive, name)));
  if (!verify(null, Buffer.from(sums ?? ''), key, Buffer.from(signature ?? '', 'base64'))) {
    throw new Failure(
      `${signatureFile} はこの鍵の署名ではありません。このアーカイブを使わないでください。`,
      `${signatureFile} was not signed with this key. Do not use this archive.`,
    );
  }
  if (!sums?.split('\n').includes(`${await sumOf(archive)}  ${basename(archive)}`)) {
    throw new Failure(
      `${basename(archive)} は ${sumsFile} と一致しません。このアーカイブを使わないでください。`,
      `${basename(archive)} does not match ${sumsFile}. Do not use this archive.`,
    );
  }
}

/** @param path of a public ed25519 key in PEM form. @throws Failure */
export async function publicKeyIn(path: string): Promise<KeyObject> {
  try {
    const key = createPublicKey(await readFile(path));
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (error) {
    throw new Failure(`公開鍵 ${path} を読めません（${reasonOf(error)}）。`, `The public key ${path} cannot be read.`, {
      cause: error,
    });
  }
  throw new Failure(`${path} は ed25519 の公開鍵ではありません。`, `${path} is no public ed25519 key.`);
}

/** The SHA-256 of the key's DER form, in hex. People compare it. */
export function fingerprintOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

async function readBeside(archive: string, name: string): Promise<string> {
  try {
    return await readFile(join(dirname(archive), name), 'utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    throw new Failure(
      `${basename(archive)} と同じ場所に ${name} を置いてください。`,
      `Put ${name} into the folder of ${basename(archive)}.`,
      { cause: error },
    );
  }
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
