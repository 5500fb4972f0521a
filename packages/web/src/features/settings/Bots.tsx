import { useState } from 'react';
import { BotDetails } from '../../components/bots/BotDetails.tsx';
import { NewBotForm } from '../../components/bots/BotForm.tsx';
import { BotList, NoBots } from '../../components/bots/BotList.tsx';
import styles from '../../components/bots/Bots.module.css';
import { Icon, Plus } from '../../components/icons.ts';
import { Button } from '../../components/primitives/Button.tsx';
import { Dialog } from '../../components/primitives/Dialog.tsx';
import { scrollableByKeyboard } from '../../components/primitives/scrollable.ts';
import { useModel } from '../../hooks/model.ts';
import { useBotsWords } from '../../i18n/bots.ts';
import { selectBots } from '../../model/people/bots.ts';
import { selectMe } from '../../model/people/selectors.ts';

/** The member's own bots. A guest may have some from before, but creates none. */
export function Bots({ onClose }: { readonly onClose: () => void }) {
  const words = useBotsWords();
  const me = useModel(selectMe);
  const own = useModel(selectBots).filter(({ ownerId }) => ownerId === me?.userId);
  const [open, setOpen] = useState<number | 'new'>();
  const close = () => setOpen(undefined);
  return (
    <Dialog heading={words.heading} tall onClose={onClose}>
      <div className={styles['screen']} ref={scrollableByKeyboard}>
        <div className={styles['top']}>
          <p className={styles['advice']}>{words.advice}</p>
          {me?.isGuest === false && (
            <Button variant="primary" size="medium" aria-haspopup="dialog" onClick={() => setOpen('new')}>
              <Icon of={Plus} size={16} />
              {words.add}
            </Button>
          )}
        </div>
        <BotList bots={own} empty={<NoBots />} onOpen={setOpen} />
      </div>
      {open === 'new' && <NewBotForm onClose={close} onCreated={setOpen} />}
      {typeof open === 'number' && <BotDetails userId={open} onClose={close} />}
    </Dialog>
  );
}
