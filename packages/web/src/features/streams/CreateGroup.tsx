import { useState } from 'react';
import { IconButton } from '../../components/IconButton.tsx';
import { Plus } from '../../components/icons.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { GroupDialog } from './GroupDialog.tsx';
import { emptyGroup } from './groupDraft.ts';

/** R2.7.1: the button, and the dialog that it opens. What was filled in is still there when it is opened again. */
export function CreateGroup({ onOpen }: { readonly onOpen: (streamId: number) => void }) {
  const words = useWords().createGroup;
  const [opened, setOpened] = useState(false);
  const [draft, setDraft] = useState(emptyGroup);

  const made = () => {
    setDraft(emptyGroup);
    setOpened(false);
  };

  return (
    <>
      <IconButton name={words.open} icon={Plus} tooltip="bottom" expanded={opened} onClick={() => setOpened(true)} />
      {opened && (
        <GroupDialog
          draft={draft}
          onDraft={setDraft}
          onMade={made}
          onOpen={onOpen}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  );
}
