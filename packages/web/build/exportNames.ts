import { basename } from 'node:path';
import type { Plugin } from 'vite';

const exported = /export\{([^{}]*)\};?\s*$/;
const imported = /import\{([^{}]*)\}from"\.\/([^"]+)"/g;
const renamed = /^([\w$]+) as ([\w$]+)$/;

/** Exports what later files use of the first script by its name there: `export{a_}`, not `export{a_ as $}`. A second name compresses badly. */
export function exportNames(): Plugin {
  return {
    name: 'engawa-export-names',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const first = chunks.find(({ name, isEntry }) => name === 'index' && !isEntry);
      const list = first && exported.exec(first.code);
      if (!list) throw new Error('the first script has no list of exports');
      const names = new Map(
        specifiers(list[1]).map((specifier) => {
          const [, inside, outside] = renamed.exec(specifier) ?? [specifier, specifier, specifier];
          return [outside, inside] as const;
        }),
      );
      // Names in alphabetical order compress best.
      const own = [...names.values()].toSorted();
      first.code = first.code.replace(exported, () => `export{${own.join(',')}};`);
      first.exports = own;

      const file = basename(first.fileName);
      for (const chunk of chunks) {
        const rest = chunk.code.replace(imported, '').replace(`import"./${file}"`, '');
        if (rest.includes(`./${file}`))
          this.error(`${chunk.fileName} uses ${file} in a way that engawa-export-names does not know`);
        chunk.code = chunk.code.replace(imported, (statement, list: string, from: string) => {
          if (from !== file) return statement;
          const specified = specifiers(list).map((specifier) => {
            const [, outside, local] = renamed.exec(specifier) ?? [specifier, specifier, specifier];
            const inside = names.get(outside);
            if (inside === undefined) throw new Error(`${file} does not export ${outside}`);
            return inside === local ? local : `${inside} as ${local}`;
          });
          return `import{${specified.join(',')}}from"./${file}"`;
        });
      }
    },
  };
}

function specifiers(list = ''): string[] {
  return list.split(',').filter((each) => each !== '');
}
