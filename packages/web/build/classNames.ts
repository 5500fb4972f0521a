import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'vite';

const defaultImport = /^import (\w+) from ('[^']+\.module\.css');$/gm;

/**
 * Gives classes short names, and imports each name of a style sheet alone: the build then writes it where it is used, and leaves out
 * the tables of all names. A module that chooses a class by a variable keeps its table.
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
      // A style sheet belongs to the page also if all of its names are written elsewhere.
      transform: { filter: { id: /\.module\.css$/ }, handler: (code) => ({ code, moduleSideEffects: 'no-treeshake' }) },
    },
  ];
}
