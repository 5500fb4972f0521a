import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** Where zod writes its schemas down as JSON Schema. */
const writing = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
/** Where it says in English what is wrong with a value. */
const sentences = /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/;
const exported = /^export (?:function|const) (\w+)/gm;

/**
 * Leaves out of the screens what they never ask of zod: to write a schema down as JSON Schema, and to say in English what
 * is wrong with a value. Of that a log needs where and of which kind, which an issue holds without a sentence. zod itself
 * names both, so no bundler finds that they are not needed; they would be some 6 kB of the first script.
 */
export function withLeanSchemas(): Plugin {
  let found = 0;
  return {
    name: 'engawa-with-lean-schemas',
    apply: 'build',
    async load(id) {
      if (sentences.test(id)) {
        found += 1;
        return 'export default () => ({ localeError: () => undefined });';
      }
      if (!writing.test(id)) return null;
      found += 1;
      const names = [...(await readFile(id, 'utf8')).matchAll(exported)].map(([, name = '']) => name);
      const stub = "const leftOut = () => { throw new Error('The screens write no schemas down.'); };";
      return [stub, ...names.map((name) => `export const ${name} = leftOut;`)].join('\n');
    },
    buildEnd(error) {
      if (!error && found !== 3) this.error(`zod keeps what is left out elsewhere now: ${found} of 3 places were found`);
    },
  };
}
