import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { AuthMode } from '@engawa/protocol/product';
import { Failure, reasonOf } from '../log/failure.ts';

export class DataDirectoryInUseError extends Failure {
  override readonly name = 'DataDirectoryInUseError';

  constructor(directory: string, cause: unknown) {
    super(
      `起動できません: DATA_DIR のディレクトリ ${directory} は、動作中の縁側が使っています。`,
      `Cannot start: a running Engawa uses the directory in DATA_DIR, ${directory}.`,
      { cause },
    );
  }
}

export function otherAuthMode(directory: string, authMode: AuthMode): Failure {
  return authMode === 'password'
    ? new Failure(
        `起動できません: DATA_DIR のディレクトリ ${directory} にはデモの組織があり、そのパスワードは誰もが知っています。` +
          'AUTH_MODE=password には空のディレクトリを指定してください。',
        `Cannot start: the directory of DATA_DIR, ${directory}, holds the demo organisation, whose passwords everybody` +
          ' knows. With AUTH_MODE=password set an empty directory.',
      )
    : new Failure(
        `起動できません: DATA_DIR のディレクトリ ${directory} の組織はパスワードでサインインします。AUTH_MODE=password を指定してください。`,
        `Cannot start: the members of the organisation in DATA_DIR, ${directory}, sign in by password. Set AUTH_MODE=password.`,
      );
}

/** @param site the Zulip server of the data; undefined: the embedded chat server. */
export function otherChatServer(directory: string, site: string | undefined): Failure {
  return site === undefined
    ? new Failure(
        `起動できません: DATA_DIR のディレクトリ ${directory} には、ZULIP_SITE を使わない組織があります。` +
          'ZULIP_SITE と一緒に使うときは空のディレクトリを指定してください。',
        `Cannot start: the directory of DATA_DIR, ${directory}, holds an organisation without ZULIP_SITE.` +
          ' With ZULIP_SITE set an empty directory.',
      )
    : new Failure(
        `起動できません: DATA_DIR のディレクトリ ${directory} は Zulip サーバー ${site} のものです。ZULIP_SITE=${site} を指定するか、` +
          `空のディレクトリを使ってください。そのサーバーのアドレスが変わったのなら、一度だけ ZULIP_SITE_BEFORE=${site} も指定します。`,
        `Cannot start: the directory of DATA_DIR, ${directory}, belongs to the Zulip server ${site}. Set ZULIP_SITE=${site}, or an` +
          ` empty directory. If that server has got another address, set also ZULIP_SITE_BEFORE=${site} once.`,
      );
}

export function prepareDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Failure(
      `起動できません: DATA_DIR のディレクトリ ${directory} に書き込めません。`,
      `Cannot start: the directory in DATA_DIR, ${directory}, is not writable (${reasonOf(error)}).`,
      { cause: error },
    );
  }
}

/** SQLITE_BUSY */
const busy = 5;

/** Two processes on the same data would remove each other's files. The lock ends with the process. */
export function lockDataDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, 'engawa.lock'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) {
      throw new DataDirectoryInUseError(directory, error);
    }
    throw error;
  }
  return () => lock.close();
}
