import { useId } from 'react';
import type { StatusFigure, StatusSeries } from '@engawa/protocol/administration';
import { fileSize } from '../../../i18n/fileSize.ts';
import { useStatusWords } from '../../../i18n/status.ts';
import { chartPath, chartSize } from './chartPath.ts';
import styles from './Status.module.css';

interface ChartProps {
  readonly figure: StatusFigure;
  readonly series: StatusSeries;
  /** Seconds. */
  readonly span: number;
}

/** A small line with its newest value and its extremes as text, which also is what a screen reader reads. */
export function Chart({ figure, series, span }: ChartProps) {
  const words = useStatusWords();
  const id = useId();
  const { name, note } = words.figures[figure];
  const values = series.values[figure];
  const known = values.filter((value) => value !== null);
  const latest = known.at(-1);
  const isBytes = figure === 'free_bytes';
  const written = (value: number) => (isBytes ? fileSize(value) : figure.endsWith('_ms') ? words.ms(value) : words.count(value));
  const extreme = isBytes ? words.least(written(Math.min(...known))) : words.most(written(Math.max(...known)));
  return (
    <li className={styles['card']}>
      <h4 id={id}>{name}</h4>
      <p className={styles['note']}>{note}</p>
      {latest === undefined ? (
        <p className={styles['unknown']}>{series.times.length > 0 ? words.unknown : words.nothing}</p>
      ) : (
        <>
          <svg
            aria-hidden
            className={styles['chart']}
            viewBox={`0 -2 ${chartSize.width} ${chartSize.height + 4}`}
            preserveAspectRatio="none"
          >
            <path d={`M0 ${chartSize.height}H${chartSize.width}`} className={styles['base']} />
            <path d={chartPath(series, values, span)} className={styles['line']} />
          </svg>
          <p className={styles['values']}>
            <span>{words.latest(written(latest))}</span>
            <span>{extreme}</span>
          </p>
        </>
      )}
    </li>
  );
}
