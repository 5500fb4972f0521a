/** Sorts Japanese names by their reading, grouped under the first kana of each row. */
import { fold } from '@engawa/folding';
import { compareNames } from '../model/collation.ts';

const rows: readonly (readonly [heading: string, kana: string])[] = [
  ['あ', 'あいうえおぁぃぅぇぉゔ'],
  ['か', 'かきくけこがぎぐげごゕゖ'],
  ['さ', 'さしすせそざじずぜぞ'],
  ['た', 'たちつてとだぢづでどっ'],
  ['な', 'なにぬねの'],
  ['は', 'はひふへほばびぶべぼぱぴぷぺぽ'],
  ['ま', 'まみむめも'],
  ['や', 'やゆよゃゅょ'],
  ['ら', 'らりるれろ'],
  ['わ', 'わをんゎ'],
];

function headingOf(reading: string): string | undefined {
  return rows.find(([, kana]) => reading !== '' && kana.includes(reading.charAt(0)))?.[0];
}

export interface ReadingGroup<T> {
  readonly heading: string | undefined;
  readonly items: readonly T[];
}

export function groupByReading<T>(items: readonly T[], readingOf: (item: T) => string): ReadingGroup<T>[] {
  const keyed = items.map((item) => ({ item, reading: fold(readingOf(item)) }));
  keyed.sort((one, other) => compareNames(one.reading, other.reading));
  const groups = Map.groupBy(keyed, ({ reading }) => headingOf(reading));
  const headings = [...rows.map(([heading]) => heading), undefined];
  return headings.flatMap((heading) => {
    const group = groups.get(heading);
    return group ? [{ heading, items: group.map(({ item }) => item) }] : [];
  });
}
