import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { pagePolicy } from './headers.ts';

/** A page of the server without scripts. The content security policy allows its style by hash. */
export interface Page {
  readonly title: string;
  /** HTML: Japanese first, then English. */
  readonly main: string;
}

const style = `
body { margin: 0; font: 16px/1.8 'Hiragino Sans', 'Noto Sans JP', 'Yu Gothic UI', Meiryo, system-ui, sans-serif;
  color: #24261f; background: #f3f3ee; }
main { max-width: 32rem; margin: 15vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; }
[lang=en] { color: #5b5e52; font-size: .875rem; }
button, a.button { display: inline-block; font: inherit; padding: .5rem 1.25rem; border: 1px solid #8a8d80;
  border-radius: .5rem; background: #fff; color: inherit; text-decoration: none; cursor: pointer; }
form { display: flex; gap: .75rem; margin: 1.5rem 0; }
@media (prefers-color-scheme: dark) {
  body { color: #e9e9e2; background: #1d1f1a; }
  [lang=en] { color: #a9ac9f; }
  button, a.button { background: #2a2d26; }
}
`;
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
        `<title>${title}</title>\n<style>${style}</style>\n</head>\n` +
        `<body>\n<main>\n${main}\n</main>\n</body>\n</html>\n`,
    );
}

export const notFoundPage: Page = {
  title: 'ページが見つかりません | Engawa',
  main: `<h1>ページが見つかりません</h1>
<p>アドレスが変わったか、もうないページのようです。</p>
<p lang="en">There is no page at this address.</p>
<p><a class="button" href="/">Engawa を開く <span lang="en">Open Engawa</span></a></p>`,
};
