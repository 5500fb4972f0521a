import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

const jsonSchema = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
const messages = /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/;
const exported = /^export (?:function|const) (\w+)/gm;

/** Removes zod's conversion to JSON Schema and its English messages: unused, about 6 kB, and imported by zod itself. */
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
      if (!jsonSchema.test(id)) return null;
      found += 1;
      const names = [...(await readFile(id, 'utf8')).matchAll(exported)].map(([, name = '']) => name);
      const stub = "const leftOut = () => { throw new Error('The screens do not convert schemas.'); };";
      return [stub, ...names.map((name) => `export const ${name} = leftOut;`)].join('\n');
    },
    buildEnd(error) {
      if (!error && found !== 3) this.error(`zod has moved its modules: found ${found} of 3`);
    },
  };
}
