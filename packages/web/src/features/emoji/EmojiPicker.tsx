import {
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import type { EmojiTable } from 'virtual:emoji';
import { useLayer } from '../../components/primitives/layers.ts';
import { useOutside, usePlacement } from '../../components/primitives/popup.ts';
import { PlainButton } from '../../components/primitives/Button.tsx';
import { classes } from '../../components/classes.ts';
import { Building2, Clock, Heart, Icon, Leaf, Lightbulb, Smile, Sparkles } from '../../components/icons.ts';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { SearchField } from '../../components/primitives/SearchField.tsx';
import { useScreenKeyboard } from '../../hooks/media.ts';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useEmojiWords } from '../../i18n/emoji.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { escapeKey, pickerHeight } from '../../model/constants.ts';
import { ownEmoji, sectionsOf, type Category, type Section } from './categories.ts';
import { EmojiGrid } from './EmojiGrid.tsx';
import styles from './EmojiPicker.module.css';
import { countUse, frequentlyUsed, takeUsedHere } from './frequent.ts';
import { positionAt, type Point } from './position.ts';
import { selectCustomEmoji } from '../../model/people/customEmoji.ts';
import { selectMe, selectSettings } from '../../model/people/selectors.ts';

const width = 342;

const iconOf = {
  frequent: Clock,
  own: Sparkles,
  people: Smile,
  nature: Leaf,
  objects: Lightbulb,
  places: Building2,
  symbols: Heart,
} as const;

const storage = () => localStorage;

export function loadEmoji(): Promise<EmojiTable> {
  return import('virtual:emoji').then((module) => module.default);
}

interface EmojiPickerProps {
  readonly at: Point;
  readonly opener: RefObject<HTMLElement | null>;
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
}

/** R2.22.1, R2.22.2: the picker opens at the click and searches six categories of emoji. */
export function EmojiPicker({ at, opener, onPick, onClose }: EmojiPickerProps) {
  const words = useEmojiWords();
  const memberId = useModel(selectMe)?.userId ?? 0;
  const model = useCommands();
  const { frequent_emoji: known } = useModel(selectSettings);
  const screenKeyboard = useScreenKeyboard();
  const root = useRef<HTMLDialogElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const { table, failed } = useEmojiTable();
  const [query, setQuery] = useState('');
  const [shown, setShown] = useState<Category>();
  const [early, setEarly] = useState(false);
  const deferredQuery = useDeferredValue(query);
  const [frequent] = useState(() => frequentlyUsed(storage, memberId, known));
  const custom = useModel(selectCustomEmoji);
  const own = useMemo(() => ownEmoji(custom.values()), [custom]);
  const sections = useMemo(
    () => (table ? sectionsOf(table, frequent, deferredQuery, own) : []),
    [table, frequent, deferredQuery, own],
  );

  usePlacementAt(root, at);
  useDismissal(root, opener, onClose);
  useLayer(onClose);

  useLayoutEffect(() => {
    // The keyboard of a touch screen would cover the emoji.
    if (screenKeyboard) root.current?.focus();
    else search.current?.focus();
  }, [screenKeyboard]);

  const pick = (emoji: string) => {
    // Only Unicode emoji are counted.
    if (emoji.startsWith(':')) return onPick(emoji);
    if (known) model.countEmojiUses([...takeUsedHere(storage, memberId), emoji]);
    else countUse(storage, memberId, emoji);
    onPick(emoji);
  };

  const onQuery = (text: string) => {
    setQuery(text);
    setShown(undefined);
    setEarly(false);
  };

  // The grid renders later than the field, so Enter searches with the latest text.
  const pickBest = (from: EmojiTable) => {
    const [best] = query.trim() === '' ? [] : sectionsOf(from, frequent, query, own);
    if (best?.emoji[0]) pick(best.emoji[0].emoji);
  };

  // Enter that was pressed before the emoji were loaded picks once they are loaded.
  const onTable = useEffectEvent((from: EmojiTable) => {
    if (early) pickBest(from);
  });
  useEffect(() => {
    if (table) onTable(table);
  }, [table]);

  const onSearchKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      root.current?.querySelector<HTMLElement>('fieldset button')?.focus();
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (table) pickBest(table);
      else setEarly(true);
    }
  };

  const go = (category: Category) => {
    root.current?.querySelector(`[data-category="${category}"]`)?.scrollIntoView({ block: 'start' });
    setShown(category);
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
        <SearchField ref={search} label={words.search} onQuery={onQuery} onKey={onSearchKey} />
      </div>
      <Status loading={!table && !failed} failed={failed} empty={table !== undefined && sections.length === 0} />
      <EmojiGrid
        key={deferredQuery}
        sections={sections}
        onPick={pick}
        onLeave={() => search.current?.focus()}
        onReach={setShown}
      />
      {sections.length > 0 && <Categories sections={sections} shown={shown ?? sections[0]?.category} onGo={go} />}
    </dialog>
  );
}

function Status({ loading, failed, empty }: { readonly loading: boolean; readonly failed: boolean; readonly empty: boolean }) {
  const words = useWords();
  const { noneFound } = useEmojiWords();
  return (
    <>
      {failed && (
        <p className={styles['none']} role="alert">
          {words.emoji.failed}
        </p>
      )}
      <output className={styles['none']}>
        {loading && words.loading}
        {empty && noneFound}
      </output>
    </>
  );
}

function usePlacementAt(root: RefObject<HTMLElement | null>, at: Point): void {
  usePlacement((corner) => {
    const { left, top } = positionAt(corner, { width, height: pickerHeight }, { width: innerWidth, height: innerHeight });
    root.current?.style.setProperty('left', `${left}px`);
    root.current?.style.setProperty('top', `${top}px`);
  }, at);
}

function useEmojiTable(): { readonly table: EmojiTable | undefined; readonly failed: boolean } {
  const [table, setTable] = useState<EmojiTable>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    loadEmoji().then(setTable, () => setFailed(true));
  }, []);
  return { table, failed };
}

/** Closes on a press outside, and on Escape before another handler sees the key. */
function useDismissal(root: RefObject<HTMLElement | null>, opener: RefObject<HTMLElement | null>, onClose: () => void) {
  useOutside((node) => root.current?.contains(node) || opener.current?.contains(node), onClose);
  // A layout effect, so that Escape works as soon as the picker is visible.
  useLayoutEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (isForInputMethod(event)) return;
      if (event.keyCode !== escapeKey) return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => document.removeEventListener('keydown', onKeyDown, true);
  }, [onClose]);
}

interface CategoriesProps {
  readonly sections: readonly Section[];
  readonly shown: Category | undefined;
  readonly onGo: (category: Category) => void;
}

function Categories({ sections, shown, onGo }: CategoriesProps) {
  const words = useEmojiWords();
  return (
    <nav className={styles['categories']} aria-label={words.categories}>
      {sections.map(({ category }) => {
        const icon = iconOf[category];
        return (
          <PlainButton
            key={category}
            className={classes(category === shown && styles['shown'])}
            aria-label={words[category]}
            title={words[category]}
            aria-pressed={category === shown}
            onClick={() => onGo(category)}
          >
            <Icon of={icon} size={17} strokeWidth={1.75} />
          </PlainButton>
        );
      })}
    </nav>
  );
}
