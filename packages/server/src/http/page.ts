import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { pagePolicy } from './headers.ts';

/** A page of the server without scripts. The content security policy allows its style by hash. */
export interface Page {
  readonly title: string;
  /** HTML: Japanese first, then English. */
  readonly main: string;
}

/** The colours of `web/src/app/tokens.css`. */
const style = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100dvh; display: grid; align-content: center;
  font: 15px/1.7 Inter, 'Hiragino Sans', 'Noto Sans JP', 'BIZ UDPGothic', 'Yu Gothic UI', Meiryo, system-ui, sans-serif;
  color: light-dark(#1f2420, #e8ebe5); background: light-dark(#fafaf7, #1b1f1c); word-break: auto-phrase; }
main { box-sizing: border-box; width: min(100% - 2rem, 28rem); margin: 2rem auto; padding: 2rem 1.75rem; text-align: center;
  border: 1px solid light-dark(#e2e3da, #2a302b); border-radius: 16px; background: light-dark(#ffffff, #242925); }
svg { color: light-dark(#2c6a54, #86c7a8); }
h1 { margin: .75rem 0 .5rem; font-size: 1.25rem; line-height: 1.4; }
p { margin: .5rem 0; text-wrap: pretty; }
[lang=en] { color: light-dark(#5d655d, #98a198); font-size: .8125rem; }
a { display: inline-flex; flex-wrap: wrap; gap: 0 .5rem; align-items: center; justify-content: center; box-sizing: border-box;
  min-height: 44px; margin-top: .75rem; padding: .5rem 1.25rem; border-radius: 12px; font-weight: 600; text-decoration: none;
  background: light-dark(#2c6a54, #86c7a8); color: light-dark(#ffffff, #0d2118); }
a [lang=en] { color: inherit; }
a:focus-visible { outline: 2px solid light-dark(#2c6a54, #86c7a8); outline-offset: 2px; }
`;

const logo = `<svg viewBox="0 0 32 32" width="44" height="44" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.2">
<g stroke-linecap="round" stroke-linejoin="round"><path d="M2.2 10.6 16 3l13.8 7.6M7 11.4v11.4M25 11.4v11.4M2.2 23.4h27.6M4.6 28h22.8"/></g>
<circle cx="16" cy="16" r="3.2" fill="currentColor" stroke="none"/>
</svg>`;

const styleHash = createHash('sha256').update(style).digest('base64');
const policy = pagePolicy(`'sha256-${styleHash}'`);

export function sendPage(reply: FastifyReply, status: number, { title, main }: Page): FastifyReply {
  return reply
    .code(status)
    .header('Content-Security-Policy', policy)
    .header('Cache-Control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html>\n<html lang="ja">\n<head>\n<meta charset="utf-8">\n` +
        `<meta name="viewport" content="width=device-width, initial-scale=1">\n` +
        `<link rel="icon" href="/favicon.svg" type="image/svg+xml">\n<title>${title}</title>\n<style>${style}</style>\n</head>\n` +
        `<body>\n<main>\n${logo}\n${main}\n</main>\n</body>\n</html>\n`,
    );
}

export const notFoundPage: Page = {
  title: 'ページが見つかりません | Engawa',
  main: `<h1>ページが見つかりません</h1>
<p>アドレスが変わったか、もうないページのようです。</p>
<p lang="en">There is no page at this address.</p>
<p><a href="/">Engawa を開く <span lang="en">Open Engawa</span></a></p>`,
};
