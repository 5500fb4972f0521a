import { spawnSync } from 'node:child_process';
import { renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, signIn, test } from './product.ts';
import { message } from './screen.ts';
import { startProduct } from './server.ts';

const root = resolve(import.meta.dirname, '..');

function engawa(dataDir: string, ...typed: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, ['dist/engawa.mjs', ...typed], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
}

test('An open page shows the messages of a backup after an operator has restored that backup', async ({ browser }) => {
  const product = await startProduct();
  const backup = `${product.dataDir}-backup`;
  const before = `${product.dataDir}-before`;
  try {
    const page = await signIn(browser, product, 'tanaka@engawa.example');
    const log = page.getByRole('log');
    const field = page.getByRole('textbox', { name: /メッセージ/ });
    const say = async (words: string) => {
      await field.fill(words);
      await field.press('Control+Enter');
      // Unconfirmed messages would be sent again after the restore.
      await expect(message(page, words)).not.toContainText('送信中');
    };
    await say('バックアップの前に書きました');
    engawa(product.dataDir, 'backup', backup);
    await say('バックアップのあとに書きました');

    await product.kill();
    renameSync(product.dataDir, before);
    engawa(product.dataDir, 'restore', backup);
    await product.start();

    await expect(log.getByText('バックアップのあとに書きました')).toBeHidden({ timeout: 60_000 });
    await expect(log.getByText('バックアップの前に書きました')).toBeVisible();
    await say('復元のあとに書きました');
  } finally {
    await product.stop();
    for (const directory of [backup, before]) rmSync(directory, { recursive: true, force: true });
  }
});
