import { sanitizeFileName } from '@engawa/protocol';
import { useGone, useModel, useTimeline } from '../../../hooks/model.ts';
import type { ConversationKey } from '../../../model/timeline/conversation.ts';
import type { MessageView, Model } from '../../../model/view.ts';
import { isPicture } from './pictures.ts';

/** A picture that can be looked at large. */
export interface LargePicture {
  readonly messageId: number;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly address: string;
  readonly senderFullName: string;
  /** Unix seconds. */
  readonly timestamp: number;
}

type Told = Pick<MessageView, 'key' | 'file' | 'senderFullName' | 'timestamp'>;

/** Of a message that shows one and has arrived. */
export function largePictureOf(model: Model, { key, file, senderFullName, timestamp }: Told): readonly LargePicture[] {
  const address = model.fileAddress({ key, file });
  if (typeof key !== 'number' || !file || !isPicture(file) || address === undefined) return [];
  return [{ messageId: key, name: sanitizeFileName(file.name), size: file.size, address, senderFullName, timestamp }];
}

/** Those of the messages that are there, the oldest first. */
export function useLargePictures(conversation: ConversationKey): readonly LargePicture[] {
  const model = useModel();
  const { keys = [] } = useTimeline(conversation) ?? {};
  // A message that is deleted keeps its place.
  useGone();
  return keys.flatMap((key) => {
    const message = model.message(key);
    return message ? largePictureOf(model, message) : [];
  });
}
