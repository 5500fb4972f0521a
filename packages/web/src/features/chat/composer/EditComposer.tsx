import { useId, type KeyboardEvent } from 'react';
import { Button } from '../../../components/primitives/Button.tsx';
import { classes } from '../../../components/classes.ts';
import { Check, Icon, Pencil, X } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { isForInputMethod } from '../../../components/inputMethod.ts';
import { useCoarsePointer } from '../../../hooks/media.ts';
import { useModel } from '../../../hooks/model.ts';
import { useComposerWords } from '../../../i18n/composer.ts';
import { useMessageToolsWords } from '../../../i18n/messageTools.ts';
import { escapeKey } from '../../../model/constants.ts';
import { selectSettings } from '../../../model/people/selectors.ts';
import styles from './Composer.module.css';
import { Field, isSendKey } from './Field.tsx';
import { QuoteCards } from './QuoteCards.tsx';
import { useEdit, useRefusalText, useTooLate, type EditOptions } from './useEdit.ts';
import { plainTextOf } from '../../../model/timeline/messageText.ts';

/** R4.9: replaces the composer, so the edited text is never scrolled away. The edit is stored until saved or discarded. */
export function EditComposer(options: EditOptions) {
  const composer = useComposerWords();
  const words = useMessageToolsWords();
  const coarse = useCoarsePointer();
  const { enter_sends: enterSends = true } = useModel(selectSettings);
  const hint = useId();
  const refusalText = useRefusalText(options.messageId);
  const { writing, composition, mentioning, message, ...edit } = useEdit(options);
  const { field, view } = writing;
  const { theirs, tooLong, busy, cancel, save } = edit;
  const late = useTooLate(options.messageId, message !== undefined);

  const complaint = () => {
    if (edit.gone) return words.editDeleted;
    if (theirs !== undefined) return edit.pressed ? words.chooseFirst : undefined;
    if (edit.failure) return refusalText(edit.failure);
    return late ? words.editTooLate : undefined;
  };
  const complains = complaint();

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event, composition.isIn(event.target))) return;
    if (event.target === field.current && mentioning.takeKey(event)) return;
    if (event.keyCode === escapeKey) {
      event.preventDefault();
      cancel();
    } else if (event.target === field.current && isSendKey(event, coarse, enterSends)) {
      event.preventDefault();
      void save();
    }
  };

  return (
    <footer className={styles['footer']}>
      <p className={styles['editing']}>
        <Icon of={Pencil} size={14} />
        {words.editing}
      </p>
      {theirs !== undefined && (
        <div className={styles['edited']}>
          <p role="alert">{words.editedElsewhere}</p>
          <q>{plainTextOf({ content: theirs, dialect: 'engawa' })}</q>
          <Button size="small" onClick={() => edit.take(theirs)}>
            {words.takeEdited}
          </Button>
          <Button size="small" onClick={() => edit.keep(theirs)}>
            {words.keepMine}
          </Button>
        </div>
      )}
      <QuoteCards quotes={view.quotes} onRemove={edit.removeQuote} />
      <div role="presentation" className={styles['box']} onKeyDown={onKeyDown}>
        <IconButton name={words.cancel} icon={X} className={styles['tool']} onClick={cancel} />
        <Field
          {...writing}
          aria-label={words.editing}
          aria-describedby={hint}
          aria-invalid={tooLong}
          enterKeyHint={coarse || !enterSends ? 'enter' : 'done'}
          onInput={edit.onInput}
          {...mentioning.attributes}
        />
        <IconButton
          name={busy ? words.saving : words.save}
          icon={Check}
          className={classes(styles['tool'], styles['send'])}
          disabled={!edit.ready || edit.unchanged}
          keepFocus
          onClick={() => void save()}
        />
      </div>
      {mentioning.list}
      <span id={hint} className={classes(styles['hint'], (complains !== undefined || tooLong) && styles['tooLong'])}>
        {complains !== undefined && <span role="alert">{complains}</span>}
        {complains === undefined && (tooLong ? composer.tooLong : !coarse && words.editHint(enterSends))}
      </span>
    </footer>
  );
}
