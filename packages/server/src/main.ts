import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { NewerDatabaseError } from '@engawa/chat-server/database';
import { type Configuration, ConfigurationError, configurationOf } from './configuration.ts';
import { prepareDataDirectory } from './storage/dataDirectory.ts';
import { defaultMember, people } from './demo/people.ts';
import { Failure, reasonOf } from './log/failure.ts';
import { listen } from './app.ts';
import { createProduct } from './product.ts';
import { logToStderr } from './log/log.ts';
import { renewCertificate } from './security/listener.ts';

/** Found by the package name, which works for this source and for the bundle in dist/. */
const screens = join(dirname(fileURLToPath(import.meta.resolve('@engawa/web/package.json'))), 'dist');

// Collects garbage when the heap has grown by half. V8 would wait until it is several times as large, mostly with the garbage of
// ended requests.
setFlagsFromString('--heap-growing-percent=50');
// V8 would place objects of requests among the old ones of the heap. There they stay after their requests, with all that they refer to,
// until a full garbage collection. Under load, one then ran several times a second.
setFlagsFromString('--no-allocation-site-pretenuring');

// A full disk or a closed pipe must not end the server. `log.ts` counts the lost lines.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

try {
  await start(configurationOf(process.env));
} catch (error) {
  refuse(error);
}

async function start(configuration: Configuration): Promise<void> {
  // Read first, so that a faulty certificate is reported before the databases are opened.
  configuration.tls?.read();
  process.umask(0o077);
  prepareDataDirectory(configuration.dataDirectory);
  let setupCode: string | undefined;
  const onSetupCode = (code: string) => {
    setupCode = code;
  };
  const app = await createProduct(configuration, { screens, onSetupCode });
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A second signal does not wait for open calls.
      if (isStopping) process.exit(1);
      isStopping = true;
      void app.close().then(() => process.exit(0), endUncleanly);
    });
  }
  process.on('SIGHUP', () => renew(app, configuration));
  const address = await listen(app, configuration);
  announce(configuration.publicUrl ?? address, configuration, setupCode);
}

function renew(app: FastifyInstance, { tls }: Configuration): void {
  try {
    renewCertificate(app.server, tls);
    logToStderr({ event: tls ? 'certificate_renewed' : 'certificate_missing' });
  } catch (error) {
    logToStderr({ event: 'certificate_renewal_failed', error });
  }
}

function endUncleanly(error: unknown): never {
  process.stderr.write(`正常に終了できませんでした。 / Engawa could not shut down cleanly (${reasonOf(error)}).\n`);
  process.exit(1);
}

function announce(address: string, { authMode }: Configuration, setupCode: string | undefined): void {
  const name = people.find(({ email }) => email === defaultMember)?.name ?? '';
  const first = `${name} (${defaultMember})`;
  const fake = authMode === 'fake';
  process.stdout.write(
    `縁側を開きました: ${address}${fake ? `  最初のメンバー: ${first}` : ''}\n` +
      `Engawa is open: ${address}${fake ? `  First member: ${first}` : ''}\n`,
  );
  if (setupCode !== undefined) {
    process.stdout.write(
      '組織がまだありません。上のアドレスをブラウザで開き、このセットアップコードで最初のオーナーを登録してください' +
        `（組織ができるまで、起動のたびに変わります）: ${setupCode}\n` +
        'There is no organisation yet. Open the address above in a browser and create its owner with this setup code' +
        ` (it changes with each start until then): ${setupCode}\n`,
    );
  }
}

function refuse(error: unknown): never {
  const line = lineOf(error);
  if (line === undefined) throw error;
  process.stderr.write(`${line}\n`);
  process.exit(error instanceof ConfigurationError ? 2 : 1);
}

function lineOf(error: unknown): string | undefined {
  if (error instanceof Failure) return error.message;
  if (error instanceof NewerDatabaseError) {
    return `起動できません: データが新しい版のものです。 / Cannot start: ${error.message}.`;
  }
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code === 'EADDRINUSE') {
    return (
      '起動できません: PORT のポートは使われています。別の番号を指定してください。' +
      ` / Cannot start: the port is in use; set another PORT (${error.message}).`
    );
  }
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EACCES') {
    return (
      '起動できません: HOST と PORT のアドレスで待ち受けられません。' +
      ` / Cannot start: cannot listen at this HOST and PORT (${error.message}).`
    );
  }
  if (error.code === 'ERR_SQLITE_ERROR') {
    return (
      '起動できません: DATA_DIR のデータベースを使えません。' +
      ` / Cannot start: a database in DATA_DIR cannot be used (${error.message}).`
    );
  }
  return undefined;
}
