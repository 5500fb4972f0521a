import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountPaths } from '@engawa/protocol/accounts';
import { expect, it, onTestFinished } from 'vitest';
import { configurationOf } from '../configuration.ts';
import { createProduct } from '../product.ts';
import type { OperatorCommands } from './commands.ts';

it('The operator can see the setup code until it has created the organisation', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-setup-'));
  let run: OperatorCommands | undefined;
  const app = await createProduct(configurationOf({ AUTH_MODE: 'password', DATA_DIR: directory }), {
    screens: directory,
    log: () => undefined,
    onOperatorCommands: (opened) => {
      run = opened;
    },
  });
  onTestFinished(async () => {
    await app.close();
    rmSync(directory, { recursive: true });
  });
  const shown = await run?.({ command: 'setup-code' });
  const owner = { organisation: '縁側商事', name: '持ち主', email: 'owner@example.com', password: 'correct horse battery' };
  const made = await app.inject({ method: 'POST', url: accountPaths.setup, payload: { code: shown?.lines[0], ...owner } });
  expect(made.statusCode).toBe(200);
  expect(await run?.({ command: 'setup-code' })).toMatchObject({
    done: false,
    lines: [expect.stringContaining('There is an organisation already.')],
  });
});
