/**
 * Texts and files of an attacker who wants a script to run in another member's browser. A script that runs calls
 * `ran`; markup that becomes an element has the attribute `data-hostile`.
 */

const at = 'data-hostile';

/** Elements that run a script when they are created. */
const markup: readonly string[] = [
  `<script ${at}>ran(1)</script>`,
  `<script ${at} src=/assets/ran.js></script>`,
  `<img ${at} src=x onerror=ran(1)>`,
  `<img ${at} src=x onerror="ran(1)"//`,
  `<svg ${at} onload=ran(1)>`,
  `<svg ${at}><animate onbegin=ran(1) attributeName=x dur=1s>`,
  `<svg ${at}><script href="data:text/javascript,ran(1)"/></svg>`,
  `<svg ${at}><a xlink:href="javascript:ran(1)"><text x=9 y=9>x</text></a></svg>`,
  `<svg ${at}><foreignObject><iframe srcdoc="<script>parent.ran(1)</script>"></foreignObject></svg>`,
  `<math ${at}><mtext><mglyph><style><img src=x onerror=ran(1)>`,
  `<body ${at} onload=ran(1)>`,
  `<iframe ${at} src="javascript:parent.ran(1)"></iframe>`,
  `<iframe ${at} srcdoc="<script>parent.ran(1)</script>"></iframe>`,
  `<object ${at} data="javascript:ran(1)"></object>`,
  `<embed ${at} src="data:text/html,<script>parent.ran(1)</script>">`,
  `<link ${at} rel=stylesheet href="/assets/ran.css">`,
  `<style ${at}>@import "/assets/ran.css"; * { background: url(/assets/ran.png) }</style>`,
  `<meta ${at} http-equiv=refresh content="0;url=javascript:ran(1)">`,
  `<base ${at} href="//evil.example/">`,
  `<form ${at} action="javascript:ran(1)"><button>x</button></form>`,
  `<input ${at} autofocus onfocus=ran(1)>`,
  `<details ${at} open ontoggle=ran(1)>x</details>`,
  `<video ${at}><source onerror=ran(1)></video>`,
  `<audio ${at} src=x onerror=ran(1)>`,
  `<marquee ${at} onstart=ran(1)>x</marquee>`,
  `<div ${at} style="animation-name:x" onanimationstart=ran(1)>`,
  `<a ${at} href="javascript:ran(1)">x</a>`,
  `<a ${at} href="&#106;avascript:ran(1)">x</a>`,
  `<template ${at}><img src=x onerror=ran(1)></template>`,
  `<dialog ${at} open onfocusin=ran(1) tabindex=1 autofocus>x</dialog>`,
];

/** Texts that become markup only when they are serialised and parsed again, or that close the tag or attribute around them. */
const mutations: readonly string[] = [
  `<noscript><p title="</noscript><img ${at} src=x onerror=ran(1)>">`,
  `<svg></p><style><a id="</style><img ${at} src=1 onerror=ran(1)>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img ${at} src=1 onerror=ran(1)&gt;">`,
  `<form><math><mtext></form><form><mglyph><style></math><img ${at} src onerror=ran(1)>`,
  `<svg><title><![CDATA[><img ${at} src=x onerror=ran(1)>]]></title></svg>`,
  `<p id="</p><img ${at} src=x onerror=ran(1)>">`,
  `<listing>&lt;img ${at} src=x onerror=ran(1)&gt;</listing>`,
  `<xmp><img ${at} src=x onerror=ran(1)></xmp><plaintext>`,
  `<select><template><option><img ${at} src=x onerror=ran(1)></option></template></select>`,
  `<table><td><svg><desc><td><title></svg><img ${at} src=x onerror=ran(1)>`,
  `"><img ${at} src=x onerror=ran(1)>`,
  `'><img ${at} src=x onerror=ran(1)>`,
  `" ${at} autofocus onfocus=ran(1) x="`,
  `' ${at} autofocus onfocus=ran(1) x='`,
  `\`\`onmouseover=ran(1) ${at}`,
  `</textarea><img ${at} src=x onerror=ran(1)>`,
  `</title></style></script><img ${at} src=x onerror=ran(1)>`,
  `--><img ${at} src=x onerror=ran(1)>`,
  `]]><img ${at} src=x onerror=ran(1)>`,
  `<<img ${at} src=x onerror=ran(1)>`,
  `<img/${at}/src=x/onerror=ran(1)>`,
  `<img${'\u2028'}${at} src=x onerror=ran(1)>`,
  `&lt;img ${at} src=x onerror=ran(1)&gt;`,
  `&amp;lt;img ${at} src=x onerror=ran(1)&amp;gt;`,
  `\\u003cimg ${at} src=x onerror=ran(1)\\u003e`,
  `%3Cimg ${at} src=x onerror=ran(1)%3E`,
  `＜img ${at} src=x onerror=ran(1)＞`,
  `+ADw-img ${at} src=x onerror=ran(1)+AD4-`,
];

/** Texts that our markup turns into links, mentions, code or files. */
const marks: readonly string[] = [
  'javascript:ran(1)',
  'JaVaScRiPt:ran(1)//https://example.com',
  'java\tscript:ran(1)',
  `https://example.com/"onmouseover="ran(1)" ${at}="`,
  `https://example.com/'><img ${at} src=x onerror=ran(1)>`,
  'https://javascript:ran(1)@example.com/',
  `[x](javascript:ran(1) "${at}")`,
  '[x](data:text/html,<script>opener.ran(1)</script>)',
  '![x](javascript:ran(1))',
  '<javascript:ran(1)>',
  '[x]: javascript:ran(1)\n[x]',
  `**<img ${at} src=x onerror=ran(1)>**`,
  `*<img ${at} src=x onerror=ran(1)>*`,
  `\`<img ${at} src=x onerror=ran(1)>\``,
  `\`\`\`html" ${at} onfocus=ran(1)\n<img ${at} src=x onerror=ran(1)>\n\`\`\``,
  `\`\`\`html\n<script ${at}>ran(1)</script>\n\`\`\``,
  `@**<img ${at} src=x onerror=ran(1)>**`,
  `@*<img ${at} src=x onerror=ran(1)>*`,
  `#**<img ${at} src=x onerror=ran(1)>**`,
  `$$\\href{javascript:ran(1)}{x}<img ${at} src=x onerror=ran(1)>$$`,
  `:<img ${at} src=x onerror=ran(1)>:`,
  `> <img ${at} src=x onerror=ran(1)>`,
  `| <img ${at} src=x onerror=ran(1)> | x |\n|---|---|\n| x | y |`,
  `engawa-file,<img ${at} src=x onerror=ran(1)>.html,${'a'.repeat(20)}.html,10`,
  'engawa-file,x.html,../../../logout,10',
  'engawa-file,x.html,javascript:ran(1),10',
  `<time:2026-01-01" ${at} onclick=ran(1)>`,
  '__proto__',
  'constructor',
  `{{constructor.constructor('ran(1)')()}}`,
  '${ran(1)}',
];

export const attackTexts: readonly string[] = [...markup, ...mutations, ...marks];

export const attackFileNames: readonly string[] = [
  `<img ${at} src=x onerror=ran(1)>.png`,
  `"><img ${at} src=x onerror=ran(1)>.png`,
  `'" ${at} onfocus=ran(1) autofocus x='.txt`,
  'a"; filename="b.html',
  'a\r\nContent-Type: text/html\r\n\r\n<script>ran(1)</script>.txt',
  'a%0d%0aX-Ran: 1.txt',
  '../../../../etc/passwd',
  '..\\..\\windows\\system32\\cmd.exe',
  '/etc/passwd',
  'C:\\autoexec.bat',
  '.htaccess',
  'CON',
  'a\0.html',
  'a%00.html',
  '請求書\u202efdp.exe',
  '請求書\u2066fdp\u2069.exe',
  'a.png.html',
  `${'長'.repeat(80)}.txt`,
  'a;b,c=d&e.txt',
  "a' OR 1=1 --.txt",
  '$(ran).txt',
  '${ran(1)}.txt',
  'javascript:ran(1).txt',
  '　全角 空白　.txt',
  '💥<svg onload=ran(1)>.svg',
];

const script = 'ran(1);alert(1);';
const page = `<!doctype html><html ${at}><script>${script}</script><img ${at} src=x onerror="${script}"></html>`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${at}="" onload="${script}"><script>${script}</script><foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" onload="${script}"><iframe src="javascript:${script}"/></body></foreignObject></svg>`;
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Files that are valid as two types at once, or of a type that differs from their name. */
export const attackFiles: readonly (readonly [name: string, type: string, content: Buffer])[] = [
  ['GIF と JS.gif', 'image/gif', latin(`GIF89a=1;${script}/*${'\0'.repeat(20)}*/`)],
  ['JPEG と HTML.jpg', 'image/jpeg', latin(`\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0${page}\xff\xd9`)],
  ['JPEG と JS.jpg', 'image/jpeg', latin(`\xff\xd8\xff\xe0\x2f\x2aJFIF\0\x01*/=1;${script}/*\xff\xd9*/`)],
  ['PNG と HTML.png', 'image/png', latin(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR${page}`)],
  ['WebP と HTML.webp', 'image/webp', latin(`RIFF\x10\0\0\0WEBPVP8 ${page}`)],
  ['PDF と HTML.pdf', 'application/pdf', latin(`%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(${script})>>>>endobj\n${page}`)],
  ['SVG の foreignObject.svg', 'image/svg+xml', latin(svg)],
  ['SVG を画像として.png', 'image/png', latin(svg)],
  [
    'XML.xml',
    'text/xml',
    latin(
      `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="data:text/xml,x"?><h:script xmlns:h="http://www.w3.org/1999/xhtml">${script}</h:script>`,
    ),
  ],
  [
    'XHTML.xhtml',
    'application/xhtml+xml',
    latin(`<html xmlns="http://www.w3.org/1999/xhtml"><head><script>${script}</script></head></html>`),
  ],
  [
    'MHTML.mht',
    'multipart/related',
    latin(
      `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n${page}\r\n--x--`,
    ),
  ],
  ['HTML.txt', 'text/html', latin(page)],
  ['HTML の UTF-7.txt', 'text/plain', latin(`+ADw-script+AD4-${script}+ADw-/script+AD4-`)],
  ['HTML の UTF-16.txt', 'text/plain', Buffer.from(`\ufeff${page}`, 'utf16le')],
  ['HTA.hta', 'application/hta', latin(`<hta:application>${page}`)],
  ['ショートカット.url', 'text/plain', latin('[InternetShortcut]\r\nURL=javascript:ran(1)')],
  ['スクリプト.mjs', 'text/javascript', latin(`export default 1;${script}`)],
  ['スタイル.css', 'text/css', latin(`*{background:url("javascript:${script}")}`)],
  ['名のないもの', '', latin(page)],
];
