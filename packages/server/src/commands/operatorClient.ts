import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { databaseFiles } from '../storage/layout.ts';
import { configurationOf, dataDirectoryOf } from '../configuration.ts';
import { modeOfData, zulipSiteOf } from '../demo/dataMode.ts';
import { Failure } from '../log/failure.ts';
import { createProduct } from '../product.ts';
import type { ExitCode, Terminal } from './command.ts';
import type { OperatorCommands, OperatorRequest } from '../operator/commands.ts';
import { sendToRunningProduct } from '../operator/socket.ts';

export async function runOperatorCommand(request: OperatorRequest, { environment, say, warn }: Terminal): Promise<ExitCode> {
  const dataDirectory = dataDirectoryOf(environment);
  const site = zulipSiteOf(dataDirectory);
  if (site !== undefined) {
    throw new Failure(
      `メンバーは Zulip サーバー ${site} で管理しています。部署と取り込みは、管理者が画面で行います。`,
      `Members are managed in the Zulip server ${site}. Administrators change departments and import them in the screens.`,
    );
  }
  if (!existsSync(join(dataDirectory, databaseFiles.chat))) {
    throw new Failure(
      `DATA_DIR のディレクトリ ${dataDirectory} には、縁側のデータがありません。`,
      `The directory in DATA_DIR, ${dataDirectory}, contains no data of Engawa.`,
    );
  }
  const { done, lines } = (await sendToRunningProduct(dataDirectory, request)) ?? (await alone());
  lines.forEach(done ? say : warn);
  return done ? 0 : 1;

  async function alone() {
    const mode = modeOfData(dataDirectory);
    // Refused, because starting the product on a directory without an organisation would create the demo.
    if (mode === undefined) {
      throw new Failure(
        '組織がまだありません。engawa start で始めてください。',
        'There is no organisation yet. Create one with engawa start.',
      );
    }
    // AUTH_MODE comes from the data, because the operator's shell may lack the environment of the service.
    const configuration = configurationOf({ ...environment, AUTH_MODE: mode });
    let run: OperatorCommands | undefined;
    const app = await createProduct(configuration, {
      screens: import.meta.dirname,
      onOperatorCommands: (opened) => {
        run = opened;
      },
    });
    try {
      if (!run) throw new Error('the product was opened without operator commands');
      return await run(request);
    } finally {
      await app.close();
    }
  }
}
