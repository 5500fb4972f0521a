import { X509Certificate } from 'node:crypto';
import { existsSync, readFileSync, statSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { sizeText } from '../format.ts';
import { DataDirectoryInUseError, lockDataDirectory } from '../dataDirectory.ts';
import { reasonOf } from '../failure.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Bytes: the limits for a warning and for a problem. */
const little = 2 * 1024 ** 3;
const nothing = 200 * 1024 ** 2;

export function checkDisk(dataDirectory: string): Finding {
  const { bavail, bsize } = statfsSync(dataDirectory);
  const free = bavail * bsize;
  const [ja, en] = [`ディスクの空きは ${sizeText(free)} です。`, `The disk has ${sizeText(free)} left.`];
  if (free < nothing) return problem('disk', `${ja}まもなく書き込めなくなります。`, `${en} Soon nothing can be written.`);
  if (free < little) return warning('disk', `${ja}増やしてください。`, `${en} Make room.`);
  return ok('disk', ja, en);
}

export function checkPermissions(dataDirectory: string): Finding {
  const { mode, uid } = statSync(dataDirectory);
  const told = (mode & 0o777).toString(8);
  const own = process.getuid?.();
  if (own !== undefined && own !== 0 && own !== uid) {
    return warning(
      'permissions',
      `DATA_DIR の所有者（uid ${uid}）ではない利用者（uid ${own}）で実行しています。`,
      `This runs as uid ${own}, and DATA_DIR belongs to uid ${uid}.`,
    );
  }
  if ((mode & 0o077) === 0)
    return ok('permissions', `DATA_DIR は所有者だけが読めます（${told}）。`, `DATA_DIR is its owner's alone (${told}).`);
  return warning(
    'permissions',
    `DATA_DIR をほかの利用者も開けます（${told}）。chmod 700 を実行してください。`,
    `Others can open DATA_DIR (${told}): run chmod 700 on it.`,
  );
}

export function checkRunning(dataDirectory: string): Finding {
  const nobody = ok('running', '縁側は動いていません。', 'No Engawa runs on this data.');
  if (!existsSync(join(dataDirectory, 'engawa.lock'))) return nobody;
  try {
    lockDataDirectory(dataDirectory)();
    return nobody;
  } catch (error) {
    if (!(error instanceof DataDirectoryInUseError)) throw error;
    return ok('running', '縁側が動いています。', 'An Engawa runs on this data.');
  }
}

const day = 24 * 60 * 60 * 1000;
/** Days before its end at which a certificate should be renewed. */
const soon = 14;

/** @param now milliseconds since 1970. */
export function checkCertificate(certificate: string, key: string, now: number): Finding[] {
  try {
    const { validTo } = new X509Certificate(readFileSync(certificate));
    readFileSync(key);
    const days = Math.floor((Date.parse(validTo) - now) / day);
    const ends = new Date(validTo).toISOString().slice(0, 10);
    if (days < 0)
      return [problem('tls', `TLS の証明書は ${ends} に期限切れになりました。`, `The TLS certificate ended on ${ends}.`)];
    if (days < soon) return [warning('tls', `TLS の証明書は ${ends} に切れます。`, `The TLS certificate ends on ${ends}.`)];
    return [ok('tls', `TLS の証明書は ${ends} まで有効です。`, `The TLS certificate holds until ${ends}.`)];
  } catch (error) {
    return [problem('tls', 'TLS_CERT または TLS_KEY を使えません。', `TLS_CERT or TLS_KEY cannot be used (${reasonOf(error)}).`)];
  }
}
