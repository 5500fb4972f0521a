import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ours = fileURLToPath(new URL('../src/components/createIcon.ts', import.meta.url));

/** Lets the icons of lucide-react be drawn by `createIcon`: lucide's own component is 1 kB of options that no screen uses. */
export function icons(): Plugin {
  let found = false;
  return {
    name: 'engawa-icons',
    apply: 'build',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^\.\.\/createLucideIcon\.mjs$/ },
      handler() {
        found = true;
        return ours;
      },
    },
    generateBundle() {
      if (!found) this.error('lucide-react no longer draws its icons by createLucideIcon.mjs');
    },
  };
}
