import { ConversationPicture } from '../../components/ConversationPicture.tsx';
import { ChevronLeft } from '../../components/icons.ts';
import { lazyComponent, lazyInBackground } from '../../components/lazyComponent.tsx';
import { IconButton } from '../../components/primitives/IconButton.tsx';
import { useModel } from '../../hooks/model.ts';
import { usePresenceText } from '../../hooks/presence.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import { selectSettled } from '../../model/connection/state.ts';
import type { ConversationView } from '../../model/conversations/selectors.ts';
import styles from './Chat.module.css';
import type { SearchSlot } from './stream/streamTool.ts';
import { StreamTools } from './stream/StreamTools.tsx';

const DirectTools = lazyComponent(
  async () => (await import('./stream/DirectTools.tsx')).DirectTools,
  (words) => words.messageTools.toolFailed,
);

const GuestNotice = lazyInBackground(async () => (await import('./stream/GuestNotice.tsx')).GuestNotice, 30_000);

export function ChatHeader({
  view,
  search,
  onBack,
}: {
  readonly view: ConversationView;
  readonly search: SearchSlot;
  readonly onBack: (() => void) | undefined;
}) {
  const words = useWords();
  const settled = useModel(selectSettled);
  const isShared = view.kind === 'stream' || view.others.length > 1;
  const presence = usePresenceText(view.kind === 'direct' ? view.partnerId : undefined);
  return (
    <header className={styles['header']}>
      {onBack && <IconButton name={words.chat.back} icon={ChevronLeft} onClick={onBack} />}
      <span className={styles['picture']}>
        <ConversationPicture of={view} size="header" />
      </span>
      <div className={styles['title']}>
        <div className={styles['name']}>
          <h2>{view.kind === 'direct' && view.isToSelf ? words.direct.toSelf(view.name) : view.name}</h2>
          {isShared && (
            <span className={styles['count']} title={words.members(view.subscribers.length)}>
              {words.inParentheses(view.subscribers.length)}
            </span>
          )}
        </div>
        {presence !== undefined && <p>{presence}</p>}
        {isShared && settled && <GuestNotice key={view.key} memberIds={view.subscribers} />}
      </div>
      {view.kind === 'stream' ? <StreamTools stream={view} search={search} /> : <DirectTools direct={view} search={search} />}
    </header>
  );
}
