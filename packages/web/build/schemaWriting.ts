import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** Where zod writes its schemas down as JSON Schema. */
const writing = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
const exported = /^export (?:function|const) (\w+)/gm;

/**
 * Leaves out of the screens what they never ask of zod: to write a schema down as JSON Schema. Every schema names it, so
 * no bundler finds by itself that it is not needed; it would be some 5 kB of the first script.
 */
export function withoutSchemaWriting(): Plugin {
  let found = 0;
  return {
    name: 'engawa-without-schema-writing',
    apply: 'build',
    async load(id) {
      if (!writing.test(id)) return null;
      found += 1;
      const names = [...(await readFile(id, 'utf8')).matchAll(exported)].map(([, name = '']) => name);
      const stub = "const leftOut = () => { throw new Error('The screens write no schemas down.'); };";
      return [stub, ...names.map((name) => `export const ${name} = leftOut;`)].join('\n');
    },
    buildEnd(error) {
      if (!error && found !== 2) this.error(`zod writes its schemas down elsewhere now: ${found} of 2 places were found`);
    },
  };
}
