import { maxMessageLength } from '@engawa/protocol';
import { classes } from '../../../components/classes.ts';
import { useComposerWords } from '../../../i18n/composer.ts';
import { fileSize } from '../../../i18n/fileSize.ts';
import type { ComposerDictionary } from '../../../i18n/composer.ja.ts';
import styles from './Composer.module.css';
import type { DraftSummary } from './draftSummary.ts';

interface ComposerHintProps {
  readonly id: string;
  readonly draft: DraftSummary;
  readonly coarse: boolean;
  readonly enterSends: boolean;
}

export function ComposerHint({ id, draft, coarse, enterSends }: ComposerHintProps) {
  const words = useComposerWords();
  if (draft.tooLong !== undefined) {
    // The count changes with each letter, so screen readers get only the sentence.
    return (
      <p id={id} className={classes(styles['hint'], styles['tooLong'])}>
        <span role="alert">{words.tooLong}</span> {words.length(draft.tooLong, maxMessageLength)}
      </p>
    );
  }
  const note = noteOn(draft, words);
  return (
    <output id={id} className={classes(styles['hint'], note !== undefined && styles['note'])}>
      {note ?? (!coarse && (draft.files.length > 0 ? words.fileHint : words.hint(enterSends)))}
    </output>
  );
}

function noteOn({ files, lostFiles, hasText }: DraftSummary, words: ComposerDictionary): string | undefined {
  const [lost] = lostFiles;
  if (lost !== undefined) return words.filesLost(lost, lostFiles.length - 1);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const notes = [
    ...(files.length > 1 ? [words.filesChosen(files.length, fileSize(total))] : []),
    ...(files.length > 0 && hasText ? [words.draftKept] : []),
  ];
  return notes.length > 0 ? notes.join(words.betweenNotes) : undefined;
}
