import type { MouseEvent, RefObject } from 'react';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import { useConversationState } from '../useConversationState.ts';
import { insertText } from './editing.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export function useEmojiInsertion(conversation: ConversationKey, field: RefObject<HTMLTextAreaElement | null>) {
  const [emojiAt, setEmojiAt] = useConversationState<Point | undefined>(conversation, () => undefined);

  const toggleEmoji = (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget.getBoundingClientRect();
    const byPointer = event.detail > 0;
    const at = byPointer ? { x: event.clientX, y: event.clientY } : { x: button.left, y: button.top };
    setEmojiAt(emojiAt ? undefined : at);
  };

  const closeEmoji = () => {
    setEmojiAt(undefined);
    field.current?.focus();
  };

  const insert = (emoji: string) => {
    closeEmoji();
    if (field.current) insertText(field.current, emoji);
  };

  return { emojiAt, toggleEmoji, closeEmoji, insert };
}
