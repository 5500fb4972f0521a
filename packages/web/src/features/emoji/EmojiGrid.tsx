import { memo, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { Emoji } from 'virtual:emoji';
import { PlainButton } from '../../components/primitives/Button.tsx';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { useEmojiWords } from '../../i18n/emoji.ts';
import { useLanguage } from '../../i18n/LocaleProvider.tsx';
import type { Category, Section } from './categories.ts';
import styles from './EmojiPicker.module.css';
import { step } from './steps.ts';

const columns = 8;

interface EmojiGridProps {
  readonly sections: readonly Section[];
  readonly onPick: (emoji: string) => void;
  readonly onLeave: () => void;
  readonly onReach: (category: Category) => void;
}

/** One cell is in the tab order, and the arrow keys move it. A row renders again only when that cell enters or leaves it. */
export function EmojiGrid({ sections, onPick, onLeave, onReach }: EmojiGridProps) {
  const words = useEmojiWords();
  const grid = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState({ row: 0, column: 0 });
  const rows = useMemo(
    () =>
      sections.flatMap(({ category, emoji }) =>
        Array.from({ length: Math.ceil(emoji.length / columns) }, (_, row) => ({
          category,
          emoji: emoji.slice(row * columns, (row + 1) * columns),
        })),
      ),
    [sections],
  );
  const pickLatest = useLatest(onPick);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    const to = step(
      event,
      reached,
      rows.map(({ emoji }) => emoji.length),
    );
    if (!to) return;
    event.preventDefault();
    if (to.row < 0) {
      onLeave();
      return;
    }
    setReached(to);
    const cell = grid.current?.querySelectorAll('fieldset > div')[to.row]?.children[to.column];
    if (cell instanceof HTMLElement) cell.focus();
  };

  const onScroll = () => {
    const top = (grid.current?.getBoundingClientRect().top ?? 0) + 1;
    const parts = [...(grid.current?.querySelectorAll('fieldset') ?? [])];
    const at = parts.findLastIndex((part) => part.getBoundingClientRect().top <= top);
    const category = sections[at]?.category;
    if (category) onReach(category);
  };

  return (
    <div ref={grid} role="presentation" className={styles['grid']} onKeyDown={onKeyDown} onScroll={onScroll}>
      {sections.map(({ category }) => (
        <fieldset key={category} className={styles['section']} data-category={category}>
          <legend className={styles['heading']}>{words[category]}</legend>
          {rows.map((row, index) =>
            row.category === category ? (
              <EmojiRow
                key={row.emoji[0]?.emoji}
                emoji={row.emoji}
                active={reached.row === index ? reached.column : undefined}
                pick={pickLatest}
              />
            ) : null,
          )}
        </fieldset>
      ))}
    </div>
  );
}

function useLatest(act: (emoji: string) => void): (emoji: string) => void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  return useMemo(() => (emoji) => latest.current(emoji), []);
}

const EmojiRow = memo(function EmojiRow({
  emoji,
  active,
  pick,
}: {
  readonly emoji: readonly Emoji[];
  readonly active: number | undefined;
  readonly pick: (emoji: string) => void;
}) {
  const { locale } = useLanguage();
  return (
    <div className={styles['row']}>
      {emoji.map((entry, column) => (
        <PlainButton
          key={entry.emoji}
          tabIndex={column === active ? 0 : -1}
          aria-label={entry[locale]}
          title={entry[locale]}
          onClick={() => pick(entry.emoji)}
        >
          {entry.url === undefined ? entry.emoji : <img src={entry.url} alt="" loading="lazy" />}
        </PlainButton>
      ))}
    </div>
  );
});
