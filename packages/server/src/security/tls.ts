import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { Failure, reasonOf } from '../log/failure.ts';

interface TlsSecrets {
  readonly cert: string;
  readonly key: string;
  readonly minVersion: 'TLSv1.2';
  readonly ciphers: string;
}

export interface TlsFiles {
  read(): TlsSecrets;
}

/** All suites of TLS 1.3, and those of 1.2 whose recorded traffic the stolen key of the certificate cannot decrypt. */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE+AESGCM',
  'ECDHE+CHACHA20',
].join(':');

/** PEM: the certificate with its intermediates, and the key. `read` reads both files again. */
export function tlsFiles(certificatePath: string, keyPath: string): TlsFiles {
  return {
    read() {
      const cert = contentOf('TLS_CERT', certificatePath);
      const key = contentOf('TLS_KEY', keyPath);
      const certificate = parsed('TLS_CERT', certificatePath, () => new X509Certificate(cert));
      const privateKey = parsed('TLS_KEY', keyPath, () => createPrivateKey(key));
      if (!certificate.checkPrivateKey(privateKey)) {
        throw new Failure(
          `起動できません: TLS_KEY の鍵（${keyPath}）は TLS_CERT の証明書（${certificatePath}）のものではありません。`,
          `Cannot start: the key in TLS_KEY, ${keyPath}, does not match the certificate in TLS_CERT, ${certificatePath}.`,
        );
      }
      const secrets = { cert, key, minVersion: 'TLSv1.2', ciphers } as const;
      parsed('TLS_CERT', certificatePath, () => createSecureContext(secrets));
      return secrets;
    },
  };
}

/** PEM: the certificates of authorities. @throws Failure for a file that is unreadable or has none. */
export function certificatesOf(setting: string, path: string): string {
  const certificates = contentOf(setting, path);
  parsed(setting, path, () => {
    // An authority file has no key, so each of its blocks must be a certificate.
    for (const block of certificates.match(pemBlock) ?? ['']) void new X509Certificate(block);
    createSecureContext({ ca: certificates });
  });
  return certificates;
}

const pemBlock = /-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g;

function contentOf(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure(
      `起動できません: ${setting} のファイルを読めません。ファイルの場所と権限を確かめてください。`,
      `Cannot start: the file in ${setting} cannot be read (${reasonOf(error)}).`,
      { cause: error },
    );
  }
}

/** The message never contains the file's content: it may be a key. */
function parsed<T>(setting: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Failure(
      `起動できません: ${setting} のファイル（${path}）は、パスフレーズのない PEM 形式ではありません。`,
      `Cannot start: the file in ${setting}, ${path}, is not PEM without a passphrase.`,
      { cause: error },
    );
  }
}
