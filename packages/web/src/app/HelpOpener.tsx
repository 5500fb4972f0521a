import { useState } from 'react';
import { lazyComponent } from '../components/lazyComponent.tsx';
import { addressOfDirect } from '../model/streams/address.ts';
import { addressOfHelp, type HelpPage } from './route.ts';
import { isInField, useShortcut } from './shortcut.ts';

const Help = lazyComponent(
  async () => (await import('../features/help/Help.tsx')).Help,
  (words) => words.helpFailed,
);

export interface HelpOpenerProps {
  readonly page: HelpPage | undefined;
  readonly onLeave: () => void;
}

/** R2.25.5: opens the help by its address, and the list of shortcuts by a question mark that is not typed into a field. */
export function HelpOpener({ page, onLeave }: HelpOpenerProps) {
  const [showsShortcuts, setShowsShortcuts] = useState(false);
  useShortcut(isHelpShortcut, () => setShowsShortcuts(true));

  const shown = page ?? (showsShortcuts ? 'shortcuts' : undefined);
  const close = () => {
    setShowsShortcuts(false);
    if (page !== undefined) onLeave();
  };
  if (shown === undefined) return null;
  return (
    <Help
      page={shown}
      addressed={page !== undefined}
      addressOf={addressOfHelp}
      addressOfMember={(userId) => addressOfDirect([userId])}
      onClose={close}
      onLoadFailure={close}
    />
  );
}

function isHelpShortcut(event: KeyboardEvent): boolean {
  return event.key === '?' && !event.ctrlKey && !event.metaKey && !isInField(event);
}
