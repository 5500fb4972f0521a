import { useEffect, useState, type RefObject } from 'react';
import { onDemand, usePart } from '../../components/onDemand.ts';
import { useToast } from '../../components/Toasts.tsx';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import type { ConversationKey } from '../../model/conversation.ts';
import { useLargePictures } from './largePictures.ts';

const lightboxPart = onDemand(() => import('./Lightbox.tsx'));

/** A press on the picture of a message in the list opens it large. It is there once, so that nothing renders a row. */
export function PictureOpener({
  conversation,
  scroller,
}: {
  readonly conversation: ConversationKey;
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const [opened, setOpened] = useState<number>();

  useEffect(() => {
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
  return <Opened conversation={conversation} messageId={opened} onGo={setOpened} onClose={() => setOpened(undefined)} />;
}

function Opened({
  conversation,
  ...props
}: {
  readonly conversation: ConversationKey;
  readonly messageId: number;
  readonly onGo: (messageId: number) => void;
  readonly onClose: () => void;
}) {
  const { notLoaded } = useWords();
  const toast = useToast();
  const pictures = useLargePictures(conversation);
  const part = usePart(lightboxPart, () => {
    toast({ text: notLoaded, tone: 'alert' });
    props.onClose();
  });
  return part && <part.Lightbox pictures={pictures} {...props} />;
}
