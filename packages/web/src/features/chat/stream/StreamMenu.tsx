import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { Archive, Bell, BellOff, Pin, Trash2, UsersRound } from '../../../components/icons.ts';
import { MenuItems } from '../../../components/primitives/Menu.tsx';
import type { OpenMenu } from '../../../components/primitives/MenuButton.tsx';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useFailureText } from '../../../hooks/failures.ts';
import { useCommands } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { useStreamWords } from '../../../i18n/stream.ts';
import type { StreamView } from '../../../model/conversations/selectors.ts';
import type { Tool } from './streamTool.ts';
import { useDenialReason } from './streamActions.ts';

/** R2.8, R2.11: more actions on the stream. A forbidden action shows its reason. */
export function StreamMenu({
  stream,
  menu,
  onOpen,
}: {
  readonly stream: StreamView;
  readonly menu: OpenMenu;
  readonly onOpen: (tool: Tool) => void;
}) {
  const words = useStreamWords();
  const reasonFor = useDenialReason(stream);
  const set = useSet(stream);
  const open = (tool: Tool) => () => onOpen(tool);
  const isMuted = stream.status === 'muted';
  const away = (on: boolean) => () => set({ put_away: on }, on ? words.putAway : words.broughtBack, { put_away: !on });
  const mute = () => set({ is_muted: !isMuted }, isMuted ? words.unmuted : words.muted, { is_muted: isMuted });

  return (
    <MenuItems
      {...menu}
      name={useWords().streamTools.more}
      items={[
        { name: words.profile, icon: UsersRound, run: open('profile') },
        {
          name: stream.isArchived ? words.bringBack : words.archive,
          icon: Archive,
          reason: reasonFor('archive'),
          run: away(!stream.isArchived),
        },
        { name: isMuted ? words.unmute : words.mute, icon: isMuted ? Bell : BellOff, run: mute },
        { name: words.notifications, icon: Bell, run: open('notifications') },
        {
          name: stream.isPinned ? words.unpin : words.pin,
          icon: Pin,
          run: () => set({ pin_to_top: !stream.isPinned }),
        },
        { name: words.delete, icon: Trash2, danger: true, reason: reasonFor('delete'), run: open('delete') },
      ]}
    />
  );
}

export function MutedSign({ stream }: { readonly stream: StreamView }) {
  const words = useStreamWords();
  const set = useSet(stream);
  const unmute = () => set({ is_muted: false }, words.unmuted, { is_muted: true });
  return <IconButton name={words.isMuted} icon={BellOff} tooltip="bottom" onClick={unmute} />;
}

type Settings = Readonly<Record<string, boolean>>;

function useSet({ streamId }: StreamView): (settings: Settings, done?: string, back?: Settings) => void {
  const { undo } = useWords();
  const model = useCommands();
  const toast = useToast();
  const failureText = useFailureText();
  const set = async (settings: Settings, done?: string, back?: Settings) => {
    const failure = await model.changeStream(streamId, { kind: 'set', settings });
    if (failure) toast({ text: failureText(failure), tone: 'alert' });
    else if (done !== undefined && back) {
      toast({ text: done, tone: 'note', action: { label: undo, run: () => void set(back) } });
    }
  };
  return (...asked) => void set(...asked);
}
