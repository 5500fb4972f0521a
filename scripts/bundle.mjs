// Bundles the programs of the server into dist/. `build.mjs` runs it in a separate process, whose end frees its memory.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';
import { programs } from './build.mjs';
import { root } from './fingerprint.mjs';

const bundles = await build(
  programs.map(({ input, file }) => ({
    input: join(root, input),
    platform: 'node',
    // Optional, and native.
    external: ['node-datachannel'],
    logLevel: 'warn',
    write: false,
    output: { file: join(root, file), format: 'esm', sourcemap: true, codeSplitting: false },
  })),
);
// Nothing is written before all programs are bundled: a new and an old one may not fit together.
for (const part of bundles.flatMap(({ output }) => output)) {
  writeFileSync(join(root, 'dist', part.fileName), part.type === 'chunk' ? part.code : part.source);
}
