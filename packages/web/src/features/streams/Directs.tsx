import { useState } from 'react';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { Plus } from '../../components/icons.ts';
import { EmptyState, Skeleton } from '../../components/primitives/EmptyState.tsx';
import { Panel } from '../../components/primitives/Panel.tsx';
import { SearchField } from '../../components/primitives/SearchField.tsx';
import { useCommands, useModel } from '../../hooks/model.ts';
import { useDirectsWords } from '../../i18n/directs.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { matches } from '../../i18n/matches.ts';
import { isDirect, type ConversationKey } from '../../model/streams/conversation.ts';
import { DirectDialog } from './DirectDialog.tsx';
import { DirectsSwitch } from './DirectsSwitch.tsx';
import { ConversationList } from './Streams.tsx';
import { selectDraftedDirects } from '../../model/drafts/state.ts';
import { selectCurrent } from '../../model/timeline/state.ts';
import { selectConversation, selectDirectKeys, selectStreamIds } from '../../model/conversations/selectors.ts';
import type { MessageText } from '../../model/timeline/messageText.ts';

interface DirectsProps {
  readonly addressOf: (conversation: ConversationKey) => string;
  readonly streamsAddress: string;
  readonly plainText: (message: MessageText) => string;
  readonly onOpen: (conversation: ConversationKey) => void;
}

/** R1.8: the list of direct conversations. */
export function Directs({ addressOf, streamsAddress, plainText, onOpen }: DirectsProps) {
  const all = useWords();
  const words = useDirectsWords();
  const model = useCommands();
  const isLoaded = useModel(selectStreamIds) !== undefined;
  const known = useModel(selectDirectKeys);
  const current = useModel(selectCurrent);
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const drafted = useModel(selectDraftedDirects);
  // Conversations without messages are listed first: the open one, and those with a draft.
  const begun = new Set(current !== undefined && isDirect(current) ? [current, ...drafted] : drafted);
  const directs = [...begun.difference(new Set(known)), ...known];
  const shown = directs.filter((each) => {
    const view = selectConversation(model.state(), each);
    return view?.kind === 'direct' && matches(query, ...view.others.flatMap(({ fullName, reading }) => [fullName, reading]));
  });

  const open = (conversation: ConversationKey) => {
    setOpened(false);
    setChosen([]);
    onOpen(conversation);
  };

  return (
    <Panel
      heading={words.heading}
      action={<IconButton name={words.begin} icon={Plus} tooltip="bottom" expanded={opened} onClick={() => setOpened(true)} />}
      top={
        <>
          <DirectsSwitch shown="directs" address={streamsAddress} />
          <SearchField label={words.search} onQuery={setQuery} />
        </>
      }
    >
      {!isLoaded && <Skeleton rows={8} label={all.loading} />}
      {isLoaded && directs.length === 0 && <EmptyState heading={words.none}>{words.noneAdvice}</EmptyState>}
      {directs.length > 0 && shown.length === 0 && <EmptyState heading={all.noneFound}>{words.noneFoundAdvice}</EmptyState>}
      {shown.length > 0 && (
        <ConversationList label={words.list} conversations={shown} addressOf={addressOf} plainText={plainText} />
      )}
      {opened && <DirectDialog chosen={chosen} onChoose={setChosen} onOpen={open} onClose={() => setOpened(false)} />}
    </Panel>
  );
}
