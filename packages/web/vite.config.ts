import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { initialJavaScript } from './build/budget.ts';
import { emojiData } from './build/emoji.ts';

export default defineConfig({
  plugins: [react(), emojiData(), initialJavaScript({ budget: 170 })],
  // `vite` alone serves the screens; everything else is asked of a product that runs beside it on its usual port.
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/logout': 'http://127.0.0.1:8080' } },
  build: {
    outDir: 'dist',
    // The content security policy allows no `data:` address, so nothing is drawn into the style sheets.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
