#!/usr/bin/env node
// `npx engawa …`: builds what is missing or stale and runs a command. The build logs to stderr.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, withNode } from './withNode.mjs';

await withNode(import.meta.filename, async () => {
  console.log = console.error;
  const { build, buildServer } = await import('./build.mjs');
  try {
    await (process.argv[2] === 'start' ? build() : buildServer());
  } catch (error) {
    console.error(error);
    fail('ビルドに失敗しました。', 'The build failed.');
    return;
  }
  await import(pathToFileURL(join(import.meta.dirname, '../dist/engawa.mjs')).href);
});
