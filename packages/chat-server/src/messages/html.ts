import { escapeHtml } from '../conversations/view.ts';

const address = /https?:\/\/[^\s<>"'、。「」『』（）【】]+[^\s<>"'、。「」『』（）【】.,;:!?)]/gu;

/**
 * A message's text as HTML for clients that ask for it: paragraphs, line breaks and links, all else as it was typed.
 * Nothing that was typed can become markup, because every character that could is escaped.
 */
export function renderHtml(content: string): string {
  return content
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.split('\n').map(renderLine).join('<br>\n')}</p>`)
    .join('\n');
}

function renderLine(line: string): string {
  let html = '';
  let end = 0;
  for (const match of line.matchAll(address)) {
    const url = escapeHtml(match[0]);
    html += `${escapeHtml(line.slice(end, match.index))}<a href="${url}">${url}</a>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(line.slice(end));
}
