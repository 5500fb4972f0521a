// `npm start`: builds what is missing or stale and starts the product.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, withNode } from './withNode.mjs';

await withNode(import.meta.filename, async () => {
  const { build } = await import('./build.mjs');
  try {
    await build();
  } catch (error) {
    console.error(error);
    fail('ビルドに失敗しました。', 'The build failed.');
    return;
  }
  await import(pathToFileURL(join(import.meta.dirname, '../dist/server.mjs')).href);
});
