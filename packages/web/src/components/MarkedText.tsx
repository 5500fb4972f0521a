import { Fragment } from 'react';
import type { Range } from '@engawa/folding';
import styles from './MarkedText.module.css';

export function MarkedText({ text, ranges }: { readonly text: string; readonly ranges: readonly Range[] }) {
  return (
    <>
      {ranges.map(({ start, end }, index) => (
        <Fragment key={start}>
          {text.slice(ranges[index - 1]?.end ?? 0, start)}
          <mark className={styles['mark']}>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </>
  );
}
