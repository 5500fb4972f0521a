import { englishNumber as number } from './numbers.ts';
import type { PicturesDictionary } from './pictures.ja.ts';

export const en: PicturesDictionary = {
  previous: 'Previous picture',
  next: 'Next picture',
  place: (index, count) => `${number.format(index)} / ${number.format(count)}`,
  tools: (name) => `View of ${name}`,
  larger: 'Zoom in',
  smaller: 'Zoom out',
  actual: 'Actual size',
  whole: 'Fit',
  percent: (percent) => `${number.format(percent)}%`,
  download: 'Download',
  broken: 'This picture cannot be shown. Download it to view it.',
};
