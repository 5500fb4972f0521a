import { useState } from 'react';
import { Button, TextButton } from '../../components/primitives/Button.tsx';
import { classes } from '../../components/classes.ts';
import { Icon, UsersRound } from '../../components/icons.ts';
import notice from '../../components/primitives/Notice.module.css';
import { useModel } from '../../hooks/model.ts';
import { useReturnFocus } from '../../hooks/returnFocus.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { useNoticesWords } from '../../i18n/notices.ts';
import { selectMe } from '../../model/people/selectors.ts';
import styles from './FirstVisitNotice.module.css';

export interface FirstVisitNoticeProps {
  readonly onSwitchMember: () => void;
}

/** R1.5: names the member that the visitor of the demo is signed in as, and offers the others. */
export function FirstVisitNotice({ onSwitchMember }: FirstVisitNoticeProps) {
  const all = useWords();
  const words = useNoticesWords().firstVisit;
  const name = useModel(selectMe)?.fullName;
  const [closed, setClosed] = useState(false);
  const { returnFocus, ...placed } = useReturnFocus();
  const close = () => {
    returnFocus();
    setClosed(true);
  };

  if (closed || name === undefined) return null;
  return (
    <section className={classes(notice['notice'], styles['notice'])} aria-label={words.label} {...placed}>
      <Icon of={UsersRound} size={16} strokeWidth={1.9} />
      <span className={classes(notice['text'], styles['text'])}>{words.signedInAs(name)}</span>
      <Button size="medium" aria-haspopup="dialog" onClick={onSwitchMember}>
        {words.switchMember}
      </Button>
      <TextButton onClick={close}>{all.close}</TextButton>
    </section>
  );
}
