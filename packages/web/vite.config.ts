import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { initialJavaScript } from './build/budget.ts';
import { classNames } from './build/classNames.ts';
import { compressed } from './build/compress.ts';
import { emojiData } from './build/emoji.ts';
import { serviceWorker } from './build/serviceWorker.ts';

/** Code that is loaded after the first screen, one file per area: a file per screen would double the first requests. */
const areas: Readonly<Record<string, RegExp>> = {
  // Only a call through a LiveKit server loads its client, and only a message of another program the parser of its markup.
  model: /[\\/](?:src[\\/]model[\\/](?!calls[\\/]livekitRoom|timeline[\\/]zulipMarkup)|client[\\/]src[\\/]calls[\\/]getEvents)/,
  screens: /[\\/]src[\\/](?:app|features[\\/](?!administration|help|session))/,
};

export default defineConfig({
  plugins: [
    classNames(),
    react(),
    emojiData(),
    serviceWorker({ budget: 3, uncached: /livekitRoom/ }),
    initialJavaScript(),
    compressed(),
  ],
  // `vite` serves only the screens. All other requests go to a product that runs on its usual port.
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/logout': 'http://127.0.0.1:8080' } },
  build: {
    outDir: 'dist',
    // The content security policy allows no `data:` address, so no asset is inlined into the style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All code of the first paint is one script, including modules that later files share: a dozen small scripts would
    // be 3 kB larger. `initialJavaScript` bounds its size after compression.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // Calls of `z` have no side effects, so schemas that no screen uses are left out. No module has a getter with an effect.
      treeshake: { manualPureFunctions: ['z'], propertyReadSideEffects: false },
      optimization: { inlineConst: { mode: 'all', pass: 2 } },
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', test: /[\\/]src[\\/]main\.tsx$/ },
            // Modules that two or more of the later files use: the icons alone were a dozen requests.
            { name: 'shared', minShareCount: 2 },
            ...Object.entries(areas).map(([name, test]) => ({ name, test })),
          ],
        },
      },
    },
  },
});
