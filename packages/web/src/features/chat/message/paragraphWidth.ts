/**
 * Limits wrapped paragraphs to the width of their widest line, so that a bubble fits its text. CSS has no such size: a box that
 * wraps its text is as wide as the room. All paragraphs of a commit are measured together, before the next paint.
 */
const mounted = new Set<HTMLElement>();
const unmeasured = new Set<HTMLElement>();
let roomWidth: number | undefined;

/** The chat also changes its width with the list beside it. Its first report is the width at which the paragraphs were measured. */
const room = new ResizeObserver((entries) => {
  const width = entries.at(-1)?.contentRect.width;
  if (roomWidth !== undefined && width !== roomWidth) measureAll();
  roomWidth = width;
});

/** Lines break between phrases of Japanese only on a Japanese page. */
const language = new MutationObserver(measureAll);

/** A ref for a paragraph. It is called again when the text changes. */
export function fitParagraph(element: HTMLParagraphElement): () => void {
  if (mounted.size === 0) {
    room.observe(element.closest('main') ?? document.body);
    language.observe(document.documentElement, { attributeFilter: ['lang'] });
  }
  mounted.add(element);
  measure(element);
  return () => {
    mounted.delete(element);
    unmeasured.delete(element);
    if (mounted.size > 0) return;
    room.disconnect();
    language.disconnect();
    roomWidth = undefined;
  };
}

function measure(element: HTMLElement): void {
  if (unmeasured.size === 0) queueMicrotask(fitParagraphs);
  unmeasured.add(element);
  // Writing only where necessary keeps a first measurement from forcing a second layout.
  if (element.style.maxWidth !== '') element.style.maxWidth = '';
}

function measureAll(): void {
  for (const element of mounted) measure(element);
}

/** Reads all widths before it writes the first one, so that the browser lays out at most twice. */
export function fitParagraphs(): void {
  const widths = [...unmeasured].map((element) => [element, widthOf(element)] as const);
  unmeasured.clear();
  for (const [element, width] of widths) if (width !== undefined) element.style.maxWidth = `${width}px`;
}

/** Pixels; undefined for a paragraph of one line. */
function widthOf(element: HTMLElement): number | undefined {
  const range = document.createRange();
  range.selectNodeContents(element);
  const lines = range.getClientRects();
  const [first, last] = [lines[0], lines[lines.length - 1]];
  if (!first || !last || last.top < first.bottom) return undefined;
  let [left, right] = [first.left, first.right];
  for (const line of lines) {
    left = Math.min(left, line.left);
    right = Math.max(right, line.right);
  }
  return Math.ceil(right - left);
}
