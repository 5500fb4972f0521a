import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AuthMode } from '@engawa/protocol/product';
import { type Configuration, addressOf, configurationOf, dataDirectoryOf, isEveryAddress } from '../configuration.ts';
import { Failure } from '../log/failure.ts';
import { otherAuthMode } from '../storage/dataDirectory.ts';
import { modeOfData, otherChatServerIn } from '../demo/dataMode.ts';
import { checkBackups } from './backups.ts';
import { checkCalls } from './calls.ts';
import { checkClock, checkDatabases } from './databases.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { checkCertificate, checkDisk, checkPermissions, checkRunning } from './machine.ts';
import { checkFiles } from './storedFiles.ts';
import { checkUnfinished } from './unfinished.ts';
import { checkZulip } from './zulip.ts';

export interface Examination {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The directory that contains all backups; undefined: backups are not checked. */
  readonly backups: string | undefined;
  readonly now: number;
}

/** Runs all checks without changing anything, also while the product runs. */
export async function examine({ environment, backups, now }: Examination): Promise<Finding[]> {
  const { configuration, findings } = checkConfiguration(environment);
  const { TLS_CERT: certificate, TLS_KEY: key } = environment;
  if (certificate && key) {
    const read = () => {
      readFileSync(key);
      return readFileSync(certificate);
    };
    findings.push(...checkCertificate(read, now));
  }
  if (configuration) findings.push(...(await checkServers(configuration)));
  const dataDirectory = configuration?.dataDirectory ?? dataDirectoryOf(environment);
  if (existsSync(dataDirectory)) {
    findings.push(
      checkRunning(dataDirectory),
      checkPermissions(dataDirectory),
      checkDisk(dataDirectory),
      ...checkDatabases(dataDirectory, configuration?.zulip !== undefined),
      ...checkClock(dataDirectory, now),
      ...checkFiles(dataDirectory, now),
      ...checkUnfinished(dataDirectory),
    );
  } else {
    findings.push(
      problem(
        'data',
        `DATA_DIR のディレクトリ ${dataDirectory} がありません。`,
        `The directory of DATA_DIR, ${dataDirectory}, does not exist.`,
      ),
    );
  }
  if (backups !== undefined) findings.push(...(await checkBackups(resolve(backups), now)));
  return findings;
}

/** The checks that a running product can afford: none reads all of a database or of the files. */
export async function examineRunning(configuration: Configuration, now: number): Promise<Finding[]> {
  const { tls, dataDirectory } = configuration;
  return [
    modeFinding(configuration),
    ...checkLinks(configuration),
    ...(tls ? checkCertificate(() => tls.read().cert, now) : []),
    ...(await checkServers(configuration)),
    checkPermissions(dataDirectory),
    checkDisk(dataDirectory),
    ...checkClock(dataDirectory, now),
    ...checkUnfinished(dataDirectory),
  ];
}

async function checkServers(configuration: Configuration): Promise<Finding[]> {
  return [...(await checkCalls(configuration)), ...(await checkZulip(configuration))];
}

function checkConfiguration(environment: Examination['environment']): {
  readonly configuration: Configuration | undefined;
  readonly findings: Finding[];
} {
  try {
    const configuration = configurationOf(environment);
    return {
      configuration,
      findings: [
        modeFinding(configuration),
        ...checkMode(configuration),
        ...checkChatServer(configuration),
        ...checkLinks(configuration),
      ],
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { configuration: undefined, findings: [problemOf(error)] };
  }
}

function checkMode({ authMode, dataDirectory }: Configuration): Finding[] {
  let mode: AuthMode | undefined;
  try {
    mode = modeOfData(dataDirectory);
  } catch {
    // Not reported twice: `checkDatabases` reports a database that cannot be read.
    return [];
  }
  return mode === undefined || mode === authMode ? [] : [problemOf(otherAuthMode(dataDirectory, authMode))];
}

function checkChatServer(configuration: Configuration): Finding[] {
  try {
    const fault = otherChatServerIn(configuration);
    return fault ? [problemOf(fault)] : [];
  } catch {
    // As in `checkMode`.
    return [];
  }
}

/** A product that listens at all addresses does not know which of them members open. */
function checkLinks({ authMode, publicUrl, host, port, tls, zulip }: Configuration): Finding[] {
  if (authMode === 'fake' || zulip || publicUrl !== undefined || !isEveryAddress(host)) return [];
  const address = addressOf(host, port, tls !== undefined);
  return [
    warning(
      'links',
      `PUBLIC_URL がないため、招待とパスワードのリンクは ${address} で始まり、ほかの機械では開けません。`,
      `Without PUBLIC_URL, links for invitations and passwords begin with ${address} and do not open on other machines.`,
    ),
  ];
}

function problemOf({ message }: Error): Finding {
  const [ja = '', en = ''] = message.split(' / ');
  return problem('configuration', ja, en);
}

function modeFinding({ authMode, fakeSignInExposed, dataDirectory }: Configuration): Finding {
  if (fakeSignInExposed) {
    return warning(
      'configuration',
      'だれでもパスワードなしでメンバーになれる状態で、ほかの機械に開かれています（AUTH_MODE=fake）。',
      'Anybody on the network can sign in as any member without a password (AUTH_MODE=fake).',
    );
  }
  return ok(
    'configuration',
    `設定に誤りはありません（AUTH_MODE=${authMode}、DATA_DIR=${dataDirectory}）。`,
    `The settings are valid (AUTH_MODE=${authMode}, DATA_DIR=${dataDirectory}).`,
  );
}
