import { maxMessageLength } from '@engawa/protocol';
import { classes } from '../../components/classes.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { Dictionary } from '../../i18n/ja.ts';
import styles from './Composer.module.css';
import type { ShownDraft } from './shownDraft.ts';

/** Under the field: what there is to know about the draft, or else what the keys do. */
export function ComposerHint({
  id,
  draft,
  coarse,
}: {
  readonly id: string;
  readonly draft: ShownDraft;
  readonly coarse: boolean;
}) {
  const words = useWords().composer;
  if (draft.tooLong !== undefined) {
    // The count changes with each letter; only the sentence is said.
    return (
      <p id={id} className={classes(styles['hint'], styles['tooLong'])}>
        <span role="alert">{words.tooLong}</span> {words.length(draft.tooLong, maxMessageLength)}
      </p>
    );
  }
  const note = noteOn(draft, words);
  return (
    <output id={id} className={classes(styles['hint'], note !== undefined && styles['note'])}>
      {note ?? (!coarse && (draft.file ? words.fileHint : words.hint))}
    </output>
  );
}

function noteOn({ file, lostFile, hasText }: ShownDraft, words: Dictionary['composer']): string | undefined {
  if (lostFile !== undefined) return words.fileLost(lostFile);
  return file && hasText ? words.draftKept : undefined;
}
