import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { type Configuration, configurationOf, addressOf } from '../configuration.ts';
import { becomesHealthy } from '../installation/health.ts';
import { install, refuseWithoutSystemd, uninstall } from '../installation/install.ts';
import { layoutIn } from '../installation/layout.ts';
import { thisMachine } from '../installation/machine.ts';
import { upgrade } from '../installation/upgrade.ts';
import { Failure } from '../log/failure.ts';
import { sendToRunningProduct } from '../operator/socket.ts';
import { publicKeyIn, verifyArchive } from '../release/verify.ts';
import { type Command, UsageError, wordAt } from './command.ts';
import { runOperatorCommand } from './operatorClient.ts';
import { keyFileOf } from './verify.ts';

/** The unpacked archive, if this is the bundle in its `lib/dist`. */
const ownFolder = join(import.meta.dirname, '../..');
const layout = layoutIn('/');
/** A migration of ten million messages takes minutes. */
const defaultSeconds = 600;

export const installCommand: Command = {
  name: 'install',
  form: '[--public-url URL]',
  summary: {
    ja: '展開したアーカイブを、systemd のサービスとして入れて起動します（root で）。',
    en: 'Installs the unpacked archive as a systemd service and starts it (as root).',
  },
  options: {
    'public-url': {
      type: 'string',
      ja: 'メンバーが開く https のアドレス（この機械のリバースプロキシが受ける）',
      en: 'the https address that members open, served by a reverse proxy on this machine',
    },
  },
  words: { least: 0, most: 0 },
  notes: ['元に戻すには engawa uninstall を使います。', 'engawa uninstall undoes it.'],
  async run(given, { say }) {
    requireRoot();
    const publicUrl = given.options['public-url'];
    if (typeof publicUrl === 'string')
      configurationOf({ AUTH_MODE: 'password', PUBLIC_URL: publicUrl, TRUSTED_PROXY: '127.0.0.1' });
    await install(ownFolder, typeof publicUrl === 'string' ? publicUrl : undefined, { layout, machine: thisMachine, say });
    const configuration = installedConfiguration();
    if (!(await becomesHealthy(configuration, 60, async () => false))) {
      throw new Failure(
        '入れましたが、正常に動きません。journalctl -u engawa を見てください。',
        'Engawa is installed but not healthy: see journalctl -u engawa.',
      );
    }
    say(`縁側を開きました / Engawa is open: ${configuration.publicUrl ?? addressOf(configuration.host, configuration.port)}`);
    const answer = await sendToRunningProduct(configuration.dataDirectory, { command: 'setup-code' });
    if (answer?.done) say(`セットアップコード / setup code: ${answer.lines.join('')}`);
    return 0;
  },
};

export const uninstallCommand: Command = {
  name: 'uninstall',
  form: '[--data]',
  summary: {
    ja: 'engawa install が入れたものを取り除きます。データ、バックアップ、設定は残します（root で）。',
    en: 'Removes what engawa install has installed, but keeps data, backups and settings (as root).',
  },
  options: {
    data: {
      type: 'boolean',
      ja: 'データ、バックアップ、設定、システムユーザーも消す（元に戻せません）',
      en: 'removes data, backups, settings and the system user too, for ever',
    },
  },
  words: { least: 0, most: 0 },
  notes: [],
  async run(given, { say }) {
    requireRoot();
    await uninstall({ data: given.options['data'] === true }, { layout, machine: thisMachine, say });
    return 0;
  },
};

export const upgradeCommand: Command = {
  name: 'upgrade',
  form: '<archive> [--key FILE] [--wait SECONDS]',
  summary: {
    ja: '署名を確かめたアーカイブの版に入れ替えます。正常に動かなければ、自動で前の版に戻します（root で）。',
    en: 'Changes to the version of a verified archive, and back by itself if that does not become healthy (as root).',
  },
  options: {
    key: {
      type: 'string',
      ja: '公開鍵（PEM）。なければ、動いている版に署名した鍵',
      en: 'the public key (PEM); by default the one that signed the running version',
    },
    wait: {
      type: 'string',
      ja: `正常になるまで待つ秒数（指定しなければ ${defaultSeconds}）`,
      en: `seconds to wait until it is healthy (default: ${defaultSeconds})`,
    },
  },
  words: { least: 1, most: 1 },
  notes: [
    '止め、バックアップを作り、入れ替え、起動します。止まっている間、画面は待って自動的につながり直します。',
    'It stops Engawa, makes a backup, switches and starts. Meanwhile open pages wait, and reconnect by themselves.',
  ],
  async run(given, { say }) {
    requireRoot();
    await refuseWithoutSystemd(thisMachine);
    const { wait = String(defaultSeconds), key } = given.options;
    const seconds = Number(wait);
    if (!(seconds > 0)) throw new UsageError('--wait は秒数です。', '--wait is a number of seconds.');
    const archive = resolve(wordAt(given, 0));
    await verifyArchive(archive, await publicKeyIn(keyFileOf(key)));
    await upgrade(archive, { layout, machine: thisMachine, say, configuration: installedConfiguration(), seconds });
    return 0;
  },
};

export const setupCodeCommand: Command = {
  name: 'setup-code',
  form: '',
  summary: {
    ja: '最初のオーナーを登録するセットアップコードを表示します。縁側が動いている必要があります。',
    en: 'Shows the setup code for the first owner. Engawa must be running.',
  },
  options: {},
  words: { least: 0, most: 0 },
  notes: [],
  run: (_given, terminal) => runOperatorCommand({ command: 'setup-code' }, terminal),
};

/** The settings of the service, whatever the operator's shell has. */
function installedConfiguration(): Configuration {
  return configurationOf(parseEnv(readFileSync(layout.settings, 'utf8')));
}

function requireRoot(): void {
  if (process.getuid?.() === 0) return;
  throw new Failure('root で実行してください（sudo）。', 'Run this as root (sudo).');
}
