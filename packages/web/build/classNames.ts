import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

const defaultImport = /^import (\w+) from ('[^']+\.module\.css');$/gm;

/**
 * Shortens class names and imports each one by name, so that the build inlines it and drops the table of names. A module that
 * selects a class by a variable keeps the table.
 */
export function classNames(): Plugin[] {
  return [
    {
      name: 'engawa-class-names',
      apply: 'build',
      enforce: 'pre',
      config({ root = '.' }) {
        const sheets = globSync('src/**/*.module.css', { cwd: root }).toSorted();
        const generateScopedName = (name: string, file: string) => {
          const place = sheets.indexOf(relative(root, file));
          if (place < 0) throw new Error(`${file} is not in ${join(root, 'src')}`);
          return `${name}_${place.toString(36)}`;
        };
        return { css: { modules: { generateScopedName } } };
      },
      onLog(_level, log) {
        if (log.code === 'IMPORT_IS_UNDEFINED') this.error(log);
      },
      transform: {
        filter: { id: /\/src\/.*\.tsx$/ },
        handler: (code) => code.replace(defaultImport, 'import * as $1 from $2;'),
      },
    },
    {
      name: 'engawa-class-names-kept',
      apply: 'build',
      enforce: 'post',
      // Keeps a style sheet whose class names were all inlined, because no JavaScript uses it any more.
      transform: { filter: { id: /\.module\.css$/ }, handler: (code) => ({ code, moduleSideEffects: 'no-treeshake' }) },
    },
  ];
}
