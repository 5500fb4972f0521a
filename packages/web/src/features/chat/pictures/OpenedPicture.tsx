import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { useLargePictures } from './largePictures.ts';
import { Lightbox } from './Lightbox.tsx';

export function OpenedPicture({
  conversation,
  ...props
}: {
  readonly conversation: ConversationKey;
  readonly messageId: number;
  readonly onGo: (messageId: number) => void;
  readonly onClose: () => void;
}) {
  return <Lightbox pictures={useLargePictures(conversation)} {...props} />;
}
