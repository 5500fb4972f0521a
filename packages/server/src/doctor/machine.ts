import { X509Certificate } from 'node:crypto';
import { existsSync, statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { sizeText } from '../log/format.ts';
import { DataDirectoryInUseError, lockDataDirectory } from '../storage/dataDirectory.ts';
import { reasonOf } from '../log/failure.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const littleBytes = 2 * 1024 ** 3;
const tooFewBytes = 200 * 1024 ** 2;

export function checkDisk(dataDirectory: string): Finding {
  const { bavail, bsize } = statfsSync(dataDirectory);
  const free = bavail * bsize;
  const [ja, en] = [`ディスクの空きは ${sizeText(free)} です。`, `The disk has ${sizeText(free)} free.`];
  if (free < tooFewBytes) return problem('disk', `${ja}まもなく書き込めなくなります。`, `${en} Soon nothing can be written.`);
  if (free < littleBytes) return warning('disk', `${ja}増やしてください。`, `${en} Free some space.`);
  return ok('disk', ja, en);
}

export function checkPermissions(dataDirectory: string): Finding {
  const { mode, uid } = statSync(dataDirectory);
  const shown = (mode & 0o777).toString(8);
  const own = process.getuid?.();
  if (own !== undefined && own !== 0 && own !== uid) {
    return warning(
      'permissions',
      `DATA_DIR の所有者（uid ${uid}）ではない利用者（uid ${own}）で実行しています。`,
      `This command runs as uid ${own}, but DATA_DIR belongs to uid ${uid}.`,
    );
  }
  if ((mode & 0o077) === 0)
    return ok('permissions', `DATA_DIR は所有者だけが読めます（${shown}）。`, `Only its owner can open DATA_DIR (${shown}).`);
  return warning(
    'permissions',
    `DATA_DIR をほかの利用者も開けます（${shown}）。chmod 700 を実行してください。`,
    `Other users can open DATA_DIR (${shown}). Run chmod 700 on it.`,
  );
}

export function checkRunning(dataDirectory: string): Finding {
  const nobody = ok('running', '縁側は動いていません。', 'Engawa is not running.');
  if (!existsSync(join(dataDirectory, 'engawa.lock'))) return nobody;
  try {
    lockDataDirectory(dataDirectory)();
    return nobody;
  } catch (error) {
    if (!(error instanceof DataDirectoryInUseError)) throw error;
    return ok('running', '縁側が動いています。', 'Engawa is running.');
  }
}

const day = 24 * 60 * 60 * 1000;
const renewalDays = 14;

/** @param read the certificate as PEM. It throws if the certificate or its key cannot be read. */
export function checkCertificate(read: () => string | Uint8Array, now: number): Finding[] {
  try {
    const { validTo } = new X509Certificate(read());
    const days = Math.floor((Date.parse(validTo) - now) / day);
    const ends = new Date(validTo).toISOString().slice(0, 10);
    if (days < 0)
      return [problem('tls', `TLS の証明書は ${ends} に期限切れになりました。`, `The TLS certificate expired on ${ends}.`)];
    if (days < renewalDays)
      return [warning('tls', `TLS の証明書は ${ends} に切れます。`, `The TLS certificate expires on ${ends}.`)];
    return [ok('tls', `TLS の証明書は ${ends} まで有効です。`, `The TLS certificate is valid until ${ends}.`)];
  } catch (error) {
    return [problem('tls', 'TLS_CERT または TLS_KEY を使えません。', `TLS_CERT or TLS_KEY cannot be used (${reasonOf(error)}).`)];
  }
}
