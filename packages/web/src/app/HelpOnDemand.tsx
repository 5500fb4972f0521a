import { useEffect, useState } from 'react';
import { isForInputMethod } from '../components/inputMethod.ts';
import { Lazily } from '../components/Lazily.tsx';
import { onDemand } from '../components/onDemand.ts';
import { useToast } from '../components/primitives/Toasts.tsx';
import { useNoticesWords } from '../i18n/notices.ts';
import { addressOfDirect, addressOfHelp, type HelpPage } from './route.ts';

const helpPart = onDemand(() => import('../features/help/Help.tsx'));
const dialogs = 'dialog[open], [role=dialog]';
const fields = 'input, textarea, select, [contenteditable]';

export interface HelpOnDemandProps {
  /** The page that the address names. */
  readonly page: HelpPage | undefined;
  readonly onLeave: () => void;
}

/** R2.25.5: by its address, and the list of keys also by a question mark that nobody is writing. */
export function HelpOnDemand({ page, onLeave }: HelpOnDemandProps) {
  const words = useNoticesWords().help;
  const toast = useToast();
  const [asked, setAsked] = useState(false);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (isForInputMethod(event) || !isShortcut(event)) return;
      event.preventDefault();
      setAsked(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);

  const shown = page ?? (asked ? 'shortcuts' : undefined);
  const close = () => {
    setAsked(false);
    if (page !== undefined) onLeave();
  };
  if (shown === undefined) return null;
  return (
    <Lazily
      part={helpPart}
      onFail={() => {
        toast({ text: words.failed, tone: 'alert' });
        close();
      }}
    >
      {({ Help }) => (
        <Help page={shown} addressOf={addressOfHelp} addressOfMember={(userId) => addressOfDirect([userId])} onClose={close} />
      )}
    </Lazily>
  );
}

/** What a dialog is asked is answered there first. */
function isShortcut({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  if (key !== '?' || ctrlKey || metaKey || altKey || document.querySelector(dialogs)) return false;
  return !(target instanceof Element && target.closest(fields));
}
