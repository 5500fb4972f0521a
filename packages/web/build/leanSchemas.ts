import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/** zod's conversion to JSON Schema. */
const jsonSchema = /[\\/]zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$/;
/** zod's English error messages. */
const messages = /[\\/]zod[\\/]v4[\\/]locales[\\/]en\.js$/;
const exported = /^export (?:function|const) (\w+)/gm;

/**
 * Removes two parts of zod that the screens never use: the conversion to JSON Schema and the English error messages (an
 * issue has its path and code without them). zod imports both, so no bundler removes them; they take about 6 kB of the
 * first script.
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
