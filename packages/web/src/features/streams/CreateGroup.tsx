import { useEffect, useState } from 'react';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { Plus } from '../../components/icons.ts';
import { lazyComponent } from '../../components/lazyComponent.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { emptyGroup } from './groupDraft.ts';

const GroupDialog = lazyComponent(async () => (await import('./GroupDialog.tsx')).GroupDialog);

/** R2.7.1: the button and its dialog. A closed dialog keeps its input. */
export function CreateGroup({ onOpen }: { readonly onOpen: (streamId: number) => void }) {
  const words = useWords();
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useState(emptyGroup);

  // Preloads the dialog, because letters typed while it loads would be lost.
  useEffect(() => GroupDialog.preload(), []);

  const close = () => setOpened(false);
  const made = () => {
    setDraft(emptyGroup);
    setOpened(false);
  };

  return (
    <>
      <IconButton name={words.createGroup.open} icon={Plus} tooltip="bottom" expanded={opened} onClick={() => setOpened(true)} />
      {opened && (
        <GroupDialog draft={draft} onDraft={setDraft} onMade={made} onOpen={onOpen} onClose={close} onLoadFailure={close} />
      )}
    </>
  );
}
