import { writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { resolve } from 'node:path';
import { productVersion } from '../backup/manifest.ts';
import { dataDirectoryOf, settingsWithoutSecrets } from '../configuration.ts';
import { examine } from '../doctor/doctor.ts';
import { Failure, reasonOf } from '../log/failure.ts';
import { sendToRunningProduct } from '../operator/socket.ts';
import { type Command, wordAt } from './command.ts';

export const supportBundleCommand: Command = {
  name: 'support-bundle',
  form: 'FILE',
  summary: {
    ja: '問い合わせに添える 1 つのファイルを作ります。',
    en: 'Writes one file to send with a question.',
  },
  options: {},
  words: { least: 1, most: 1 },
  notes: [
    '版、秘密を除いた設定、点検の結果、動いていれば計測値とログの最後の行が入ります。メッセージ、氏名、秘密は入りません。',
    'ファイルは読める JSON です。送る前に確かめてください。',
    'It has versions, the settings without secrets, the findings of the doctor and, if Engawa runs, metrics and the last lines of the log.',
    'It has no messages, no names of members and no secrets. It is readable JSON: look at it before you send it.',
  ],
  async run(given, { environment, say }) {
    const file = resolve(wordAt(given, 0));
    const running = await sendToRunningProduct(dataDirectoryOf(environment), { command: 'support' });
    const [metrics = null, ...log] = running?.done ? running.lines : [];
    const { version: node, platform, arch, versions } = process;
    const bundle = {
      made: new Date().toISOString(),
      versions: { engawa: productVersion, node, sqlite: versions['sqlite'], system: `${platform} ${release()} ${arch}` },
      settings: settingsWithoutSecrets(environment),
      findings: await examine({ environment, backups: undefined, now: Date.now() }),
      metrics: metrics?.split('\n') ?? null,
      log: log.map((line): unknown => JSON.parse(line)),
    };
    try {
      await writeFile(file, `${JSON.stringify(bundle, undefined, 1)}\n`, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      throw new Failure(`${file} を作れません。`, `${file} cannot be written (${reasonOf(error)}).`, { cause: error });
    }
    say(`作りました: ${file} / Written: ${file}`);
    return 0;
  },
};
