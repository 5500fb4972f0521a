import { useLayoutEffect, useState, type RefObject } from 'react';
import { lazyComponent } from '../../../components/lazyComponent.tsx';
import type { ConversationKey } from '../../../model/streams/conversation.ts';

const OpenedPicture = lazyComponent(async () => (await import('./Lightbox.tsx')).OpenedPicture);

export function PictureOpener({
  conversation,
  scroller,
}: {
  readonly conversation: ConversationKey;
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const [opened, setOpened] = useState<number>();

  useLayoutEffect(() => {
    const list = scroller.current;
    const open = ({ target }: MouseEvent) => {
      const button = target instanceof Element ? target.closest('[data-picture]') : null;
      const messageId = Number(button?.closest('article')?.dataset['key'] ?? NaN);
      if (Number.isSafeInteger(messageId)) setOpened(messageId);
    };
    list?.addEventListener('click', open);
    return () => list?.removeEventListener('click', open);
  }, [scroller]);

  if (opened === undefined) return null;
  const close = () => setOpened(undefined);
  return <OpenedPicture conversation={conversation} messageId={opened} onGo={setOpened} onClose={close} onLoadFailure={close} />;
}
