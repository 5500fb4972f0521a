import { useEffect, useState } from 'react';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { Plus } from '../../components/icons.ts';
import { Lazily } from '../../components/Lazily.tsx';
import { onDemand } from '../../components/onDemand.ts';
import { useToast } from '../../components/primitives/Toasts.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { emptyGroup } from './groupDraft.ts';

const dialogPart = onDemand(() => import('./GroupDialog.tsx'));

/** R2.7.1: the button, and the dialog that it opens. What was filled in is still there when it is opened again. */
export function CreateGroup({ onOpen }: { readonly onOpen: (streamId: number) => void }) {
  const words = useWords();
  const toast = useToast();
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useState(emptyGroup);

  // Before anybody presses it: who types on at once would type into nothing.
  useEffect(() => dialogPart.preload(), []);

  const made = () => {
    setDraft(emptyGroup);
    setOpened(false);
  };

  const fail = () => {
    toast({ text: words.notLoaded, tone: 'alert' });
    setOpened(false);
  };

  return (
    <>
      <IconButton name={words.createGroup.open} icon={Plus} tooltip="bottom" expanded={opened} onClick={() => setOpened(true)} />
      {opened && (
        <Lazily part={dialogPart} onFail={fail}>
          {({ GroupDialog }) => (
            <GroupDialog draft={draft} onDraft={setDraft} onMade={made} onOpen={onOpen} onClose={() => setOpened(false)} />
          )}
        </Lazily>
      )}
    </>
  );
}
