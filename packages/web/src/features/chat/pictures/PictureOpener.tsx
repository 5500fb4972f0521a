import { createContext, type ReactNode } from 'react';
import { lazyComponent } from '../../../components/lazyComponent.tsx';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { useOpened } from '../list/useOpened.ts';

const OpenedPicture = lazyComponent(async () => (await import('./Lightbox.tsx')).OpenedPicture);

/** Opens the picture of a message. It never changes, so no row renders again. */
export const OpenPicture = createContext<(messageId: number) => void>(() => undefined);

export function PictureOpener({
  conversation,
  children,
}: {
  readonly conversation: ConversationKey;
  readonly children: ReactNode;
}) {
  const [opened, setOpened] = useOpened<number>();
  const close = () => setOpened(undefined);
  return (
    <OpenPicture value={setOpened}>
      {children}
      {opened !== undefined && (
        <OpenedPicture conversation={conversation} messageId={opened} onGo={setOpened} onClose={close} onLoadFailure={close} />
      )}
    </OpenPicture>
  );
}
