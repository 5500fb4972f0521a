import {
  memo,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import type { Emoji, EmojiTable } from 'virtual:emoji';
import { classes } from '../../components/classes.ts';
import { Building2, Clock, Heart, Leaf, Lightbulb, Smile } from '../../components/icons.ts';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { SearchField } from '../../components/SearchField.tsx';
import { useCoarsePointer } from '../../hooks/media.ts';
import { useLanguage } from '../../i18n/LocaleProvider.tsx';
import { escapeKey, pickerHeight } from '../../model/constants.ts';
import { sectionsOf, type Category, type Section } from './categories.ts';
import styles from './EmojiPicker.module.css';
import { countUse, frequentlyUsed } from './frequent.ts';
import { placeAt, type Point } from './place.ts';

const width = 342;
const columns = 8;

const iconOf = {
  frequent: Clock,
  people: Smile,
  nature: Leaf,
  objects: Lightbulb,
  places: Building2,
  symbols: Heart,
} as const;

export function loadEmoji(): Promise<EmojiTable> {
  return import('virtual:emoji').then((module) => module.default);
}

/** R2.22.1, R2.22.2 */
export function EmojiPicker({
  at,
  opener,
  onPick,
  onClose,
}: {
  readonly at: Point;
  /** A click on it is not a click outside. */
  readonly opener: RefObject<HTMLElement | null>;
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
}) {
  const words = useLanguage().words.emoji;
  const coarse = useCoarsePointer();
  const root = useRef<HTMLDialogElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const { table, failed } = useEmojiTable();
  const [query, setQuery] = useState('');
  const sought = useDeferredValue(query);
  const [frequent] = useState(() => frequentlyUsed(localStorage));
  const sections = useMemo(() => (table ? sectionsOf(table, frequent, sought) : []), [table, frequent, sought]);

  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    const { left, top } = placeAt(at, { width, height: pickerHeight }, { width: innerWidth, height: innerHeight });
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
    // A finger has come for the emoji; a keyboard on the screen would cover them.
    if (coarse) element.focus();
    else search.current?.focus();
  }, [at, coarse]);

  useDismissal(root, opener, onClose);

  const pick = (emoji: string) => {
    countUse(localStorage, emoji);
    onPick(emoji);
  };

  const onSearchKey = (event: KeyboardEvent) => {
    const first = root.current?.querySelector<HTMLElement>('fieldset button');
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      first?.focus();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      first?.click();
    }
  };

  return (
    <dialog
      ref={root}
      open
      tabIndex={-1}
      className={styles['picker']}
      style={{ width, height: pickerHeight }}
      aria-label={words.label}
    >
      <div className={styles['search']}>
        <SearchField ref={search} label={words.search} onQuery={setQuery} onKeyDown={onSearchKey} />
      </div>
      {failed && (
        <p className={styles['none']} role="alert">
          {words.failed}
        </p>
      )}
      {table && sections.length === 0 && (
        <output className={styles['none']}>{words.noneFound}</output>
      )}
      <EmojiGrid key={sought} sections={sections} onPick={pick} onLeave={() => search.current?.focus()} />
      <Categories sections={sections} root={root} />
    </dialog>
  );
}

function useEmojiTable(): { readonly table: EmojiTable | undefined; readonly failed: boolean } {
  const [table, setTable] = useState<EmojiTable>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    loadEmoji().then(setTable, () => setFailed(true));
  }, []);
  return { table, failed };
}

/** Closes on a click outside and on Escape, before anything else hears of it. */
function useDismissal(
  root: RefObject<HTMLElement | null>,
  opener: RefObject<HTMLElement | null>,
  onClose: () => void,
) {
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      const inside = target instanceof Node && (root.current?.contains(target) || opener.current?.contains(target));
      if (!inside) onClose();
    };
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (isForInputMethod(event) || event.keyCode !== escapeKey) return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    document.addEventListener('pointerdown', onPointerDown, true);
    document.addEventListener('keydown', onKeyDown, true);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true);
      document.removeEventListener('keydown', onKeyDown, true);
    };
  }, [root, opener, onClose]);
}

interface Cell {
  readonly category: Category;
  readonly row: number;
  readonly column: number;
}

/** One cell is in the tab order; the arrow keys move it. Rows render again only when it enters or leaves them. */
function EmojiGrid({
  sections,
  onPick,
  onLeave,
}: {
  readonly sections: readonly Section[];
  readonly onPick: (emoji: string) => void;
  /** Up from the first row. */
  readonly onLeave: () => void;
}) {
  const words = useLanguage().words.emoji;
  const grid = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<Cell>();
  const rows = useMemo(
    () =>
      sections.flatMap(({ category, emoji }) =>
        Array.from({ length: Math.ceil(emoji.length / columns) }, (_, row) => ({
          category,
          row,
          emoji: emoji.slice(row * columns, (row + 1) * columns),
        })),
      ),
    [sections],
  );
  const pickLatest = useLatest(onPick);

  const first = rows[0];
  const active = reached ?? (first && { category: first.category, row: 0, column: 0 });
  const index = rows.findIndex(({ category, row }) => category === active?.category && row === active.row);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!active) return;
    const to = step(event.key, index, active.column, rows.map(({ emoji }) => emoji.length));
    if (!to) return;
    event.preventDefault();
    const row = rows[to.row];
    if (!row) {
      onLeave();
      return;
    }
    setReached({ category: row.category, row: row.row, column: to.column });
    const cell = grid.current?.querySelectorAll('fieldset > div')[to.row]?.children[to.column];
    if (cell instanceof HTMLElement) cell.focus();
  };

  return (
    <div ref={grid} role="presentation" className={styles['grid']} onKeyDown={onKeyDown}>
      {sections.map(({ category }) => (
        <fieldset key={category} className={styles['section']} data-category={category}>
          <legend className={styles['heading']}>{words[category]}</legend>
          {rows.map((row) =>
            row.category === category ? (
              <EmojiRow
                key={row.row}
                emoji={row.emoji}
                active={active?.category === category && active.row === row.row ? active.column : undefined}
                pick={pickLatest}
              />
            ) : null,
          )}
        </fieldset>
      ))}
    </div>
  );
}

/** Where a key leads: a row and column, a row of -1 out of the grid. */
function step(
  key: string,
  row: number,
  column: number,
  lengths: readonly number[],
): { readonly row: number; readonly column: number } | undefined {
  const lastOf = (of: number) => (lengths[of] ?? 1) - 1;
  const down = Math.min(row + 1, lengths.length - 1);
  switch (key) {
    case 'ArrowRight':
      return column < lastOf(row) ? { row, column: column + 1 } : { row: down, column: down === row ? column : 0 };
    case 'ArrowLeft':
      if (column > 0) return { row, column: column - 1 };
      return row === 0 ? { row, column } : { row: row - 1, column: lastOf(row - 1) };
    case 'ArrowDown':
      return { row: down, column: Math.min(column, lastOf(down)) };
    case 'ArrowUp':
      return { row: row - 1, column: Math.min(column, lastOf(row - 1)) };
    case 'Home':
      return { row, column: 0 };
    case 'End':
      return { row, column: lastOf(row) };
    default:
      return undefined;
  }
}

/** Always the same function, which calls what was given last. */
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
  /** The column that is in the tab order, if it is in this row. */
  readonly active: number | undefined;
  readonly pick: (emoji: string) => void;
}) {
  const { locale } = useLanguage();
  return (
    <div className={styles['row']}>
      {emoji.map((entry, column) => (
        <button
          key={entry.emoji}
          type="button"
          tabIndex={column === active ? 0 : -1}
          aria-label={entry[locale]}
          title={entry[locale]}
          onClick={() => pick(entry.emoji)}
        >
          {entry.emoji}
        </button>
      ))}
    </div>
  );
});

function Categories({
  sections,
  root,
}: {
  readonly sections: readonly Section[];
  readonly root: RefObject<HTMLElement | null>;
}) {
  const words = useLanguage().words.emoji;
  const [shown, setShown] = useState<Category>();
  const go = (category: Category) => {
    setShown(category);
    root.current?.querySelector(`[data-category="${category}"]`)?.scrollIntoView({ block: 'start' });
  };

  return (
    <nav className={styles['categories']} aria-label={words.categories}>
      {sections.map(({ category }, index) => {
        const Icon = iconOf[category];
        const current = shown === undefined ? index === 0 : shown === category;
        return (
          <button
            key={category}
            type="button"
            className={classes(current && styles['shown'])}
            aria-label={words[category]}
            title={words[category]}
            aria-pressed={current}
            onClick={() => go(category)}
          >
            <Icon aria-hidden size={17} strokeWidth={1.75} />
          </button>
        );
      })}
    </nav>
  );
}
