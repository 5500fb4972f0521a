import { createLucideIcon } from 'lucide-react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { createIcon } from './createIcon.ts';

const line = { x1: '4', x2: '20', y1: '9', y2: '9' };
const Lucide = createLucideIcon('line', [['line', { ...line, key: 'a' }]]);
const Ours = createIcon({ node: [['line', line]] });

it.each([{}, { size: 16, strokeWidth: 1.9, 'aria-hidden': true }, { size: 14, 'aria-label': '外す' }])(
  'An icon that the build draws has the attributes of lucide-react, apart from its classes: %j',
  (props) => {
    expect(parts(renderToStaticMarkup(<Ours {...props} />))).toEqual(
      parts(renderToStaticMarkup(<Lucide {...props} />).replace(/ class="[^"]*"/, '')),
    );
  },
);

/** The order of attributes does not matter. */
const parts = (markup: string) => markup.match(/[\w-]+="[^"]*"|<\/?\w+/g)?.toSorted();
