import { sanitizeFileName } from '@engawa/protocol';
import { useCommands, useModel } from '../../../hooks/model.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { type MessageView, fileAddress } from '../../../model/timeline/message.ts';
import { isPicture } from './pictures.ts';
import { selectDeletedIds } from '../../../model/timeline/state.ts';
import { selectMessage, selectTimeline } from '../../../model/outbox/selectors.ts';

export interface LargePicture {
  readonly messageId: number;
  readonly name: string;
  readonly size: number;
  readonly address: string;
  readonly senderFullName: string;
  readonly timestamp: number;
}

type Told = Pick<MessageView, 'key' | 'file' | 'senderFullName' | 'timestamp'>;

export function largePictureOf({ key, file, senderFullName, timestamp }: Told): readonly LargePicture[] {
  const address = fileAddress({ key, file });
  if (typeof key !== 'number' || !file || !isPicture(file) || address === undefined) return [];
  return [{ messageId: key, name: sanitizeFileName(file.name), size: file.size, address, senderFullName, timestamp }];
}

export function useLargePictures(conversation: ConversationKey): readonly LargePicture[] {
  const model = useCommands();
  const { keys = [] } = useModel(selectTimeline, conversation) ?? {};
  // Renders again after a deletion, because a deleted message stays in the list.
  useModel(selectDeletedIds);
  return keys.flatMap((key) => {
    const message = selectMessage(model.state(), key);
    return message ? largePictureOf(message) : [];
  });
}
