import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { initialJavaScript } from './build/budget.ts';
import { compressed } from './build/compress.ts';
import { emojiData } from './build/emoji.ts';
import { withLeanSchemas } from './build/leanSchemas.ts';
import { serviceWorker } from './build/serviceWorker.ts';

/** What is fetched as soon as the first screen stands, whatever the member does next: one file, for each would be one or two. */
const broughtAlong = [
  'app/Household.tsx',
  'features/chat/composer/EditComposer.tsx',
  'features/chat/message/MessageTools.tsx',
  'features/chat/stream/StreamMenu.tsx',
  'features/mentions/Mentions.tsx',
  'features/search/Search.tsx',
  'features/settings/Settings.tsx',
  'features/streams/Directs.tsx',
  'model/people/attendance.ts',
  'model/people/directory.ts',
].map((path) => join(import.meta.dirname, 'src', path));

export default defineConfig({
  plugins: [
    react(),
    emojiData(),
    withLeanSchemas(),
    serviceWorker({ budget: 3 }),
    initialJavaScript({ budget: 170 }),
    compressed(),
  ],
  // `vite` alone serves the screens; everything else is asked of a product that runs beside it on its usual port.
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/logout': 'http://127.0.0.1:8080' } },
  build: {
    outDir: 'dist',
    // The content security policy allows no `data:` address, so nothing is drawn into the style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the first paint needs is one script, also where what is fetched later shares parts of it: a dozen of small
    // ones would take 3 kB more. How much it may be is said by the budget, after compression.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // To describe a shape does nothing but that: shapes that no screen asks for are left out.
      treeshake: { manualPureFunctions: ['z'] },
      output: {
        codeSplitting: {
          groups: [
            { name: 'index', test: /[\\/]src[\\/]main\.tsx$/ },
            // What two or more of the later parts use is one file: the icons alone were a dozen requests.
            { name: 'shared', minShareCount: 2 },
            // After it: what somebody presses early does not wait for what was brought along.
            { name: 'broughtAlong', test: (id) => broughtAlong.includes(id) },
          ],
        },
      },
    },
  },
});
