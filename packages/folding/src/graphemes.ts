let segmenter: Intl.Segmenter | undefined;

/** What readers see as characters: ガ written as two code points is one. Made on demand, which takes browsers tens of milliseconds. */
export function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
