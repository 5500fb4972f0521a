import { useState, type KeyboardEvent } from 'react';
import { IconButton } from '../../components/IconButton.tsx';
import { Ellipsis, Phone, Search, Video } from '../../components/icons.ts';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { Lazily } from '../../components/Lazily.tsx';
import { onDemand, usePart } from '../../components/onDemand.ts';
import { useToast } from '../../components/Toasts.tsx';
import { useSettled } from '../../hooks/model.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { StreamView } from '../../model/view.ts';
import type { SearchSlot, Tool } from './streamSlots.ts';
import styles from './StreamTools.module.css';
import { useConversationState } from './useConversationState.ts';

const menuPart = onDemand(() => import('./StreamMenu.tsx'));
const dialogsPart = onDemand(() => import('./StreamDialogs.tsx'));

/** R2.8: what can be done with the stream that is open. */
export function StreamTools({ stream, search }: { readonly stream: StreamView; readonly search: SearchSlot }) {
  const all = useWords();
  const words = all.streamTools;
  const toast = useToast();
  const [opened, setOpened] = useConversationState<Tool | undefined>(stream.streamId, () => undefined);
  const [asked, setAsked] = useState(0);
  const sayNotLoaded = () => toast({ text: all.notLoaded, tone: 'alert' });
  const buttons = [
    { name: words.search, icon: Search, run: search.open, onApproach: search.preload },
    { name: words.audioCall, icon: Phone, run: () => setOpened('audioCall'), onApproach: dialogsPart.preload },
    { name: words.videoCall, icon: Video, run: () => setOpened('videoCall'), onApproach: dialogsPart.preload },
  ];

  return (
    <div className={styles['tools']}>
      {buttons.map(({ name, icon, run, onApproach }) => (
        <IconButton key={name} name={name} icon={icon} tooltip="bottom" onClick={run} onApproach={onApproach} />
      ))}
      <More
        key={asked}
        stream={stream}
        asked={asked > 0}
        onAsk={() => setAsked(asked + 1)}
        onFail={sayNotLoaded}
        onOpen={setOpened}
      />
      {opened && (
        <Lazily
          part={dialogsPart}
          onFail={() => {
            sayNotLoaded();
            setOpened(undefined);
          }}
        >
          {({ StreamDialog }) => (
            <StreamDialog tool={opened} stream={stream} onClose={() => setOpened(undefined)} />
          )}
        </Lazily>
      )}
    </div>
  );
}

/** The menu, fetched once the first stream stands. Who presses its button before it is there gets it when it is. */
function More({
  stream,
  asked,
  onAsk,
  onFail,
  onOpen,
}: {
  readonly stream: StreamView;
  readonly asked: boolean;
  readonly onAsk: () => void;
  readonly onFail: () => void;
  readonly onOpen: (tool: Tool) => void;
}) {
  const { more } = useWords().streamTools;
  const settled = useSettled();
  const part = usePart(menuPart, () => asked && onFail(), asked || settled);
  const [focused, setFocused] = useState(false);
  const [pressed, setPressed] = useState(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    if (event.key === ' ') setPressed(true);
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    onAsk();
  };
  // A button that was taken away between press and release would never be clicked.
  if (!part || pressed) {
    return (
      <span
        role="presentation"
        onKeyDown={onKeyDown}
        onPointerDown={() => setPressed(true)}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
      >
        <IconButton name={more} icon={Ellipsis} tooltip="bottom" popup="menu" onClick={onAsk} />
      </span>
    );
  }
  return (
    <part.StreamMenu
      stream={stream}
      opensAtOnce={asked}
      focused={focused}
      onOpen={onOpen}
      onApproach={dialogsPart.preload}
    />
  );
}
