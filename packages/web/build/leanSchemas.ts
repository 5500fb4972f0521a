import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const jsonSchema = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
const messages = /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/;
const cycles = /[\\/]zod[\\/]v4[\\/]core[\\/]memoizer\.js$/;
const classic = /[\\/]zod[\\/]v4[\\/]classic[\\/]schemas\.js$/;
const exported = /^export (?:function|const) (\w+)/gm;

/**
 * Removes parts that zod itself imports and no screen uses, about 8 kB: the conversion to JSON Schema, the English
 * messages, the search for cycles in values (JSON has none), and the parser made with `eval` (the content security policy
 * forbids it).
 */
export function withLeanSchemas(): Plugin {
  let found = 0;
  return {
    name: 'engawa-with-lean-schemas',
    apply: 'build',
    async load(id) {
      if (messages.test(id)) {
        found += 1;
        return 'export default () => ({ localeError: () => undefined });';
      }
      if (cycles.test(id)) {
        found += 1;
        return 'export const memoizer = () => undefined, isBackEdge = () => false, isRecursiveSchema = () => false;';
      }
      if (classic.test(id)) {
        const code = await readFile(id, 'utf8');
        if (code.includes('core.$ZodObjectJIT')) found += 1;
        return code.replaceAll('core.$ZodObjectJIT', 'core.$ZodObject');
      }
      if (!jsonSchema.test(id)) return null;
      found += 1;
      const names = [...(await readFile(id, 'utf8')).matchAll(exported)].map(([, name = '']) => name);
      const stub = "const leftOut = () => { throw new Error('The screens do not convert schemas.'); };";
      return [stub, ...names.map((name) => `export const ${name} = leftOut;`)].join('\n');
    },
    buildEnd(error) {
      if (!error && found !== 5) this.error(`zod has moved its modules: found ${found} of 5`);
    },
  };
}
