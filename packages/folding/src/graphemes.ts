/** Created on demand, because the first segmenter takes browsers tens of milliseconds. */
let segmenter: Intl.Segmenter | undefined;

/** The characters that readers see: ガ written as two code points is one. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
