import { useMemo, useSyncExternalStore, type FormEvent } from 'react';
import { type Reference, inlineText } from '@engawa/markup';
import { useCommands } from '../../../hooks/model.ts';
import { useComposerWords } from '../../../i18n/composer.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { selectMentionedGroup, selectMentionedUser } from '../../../model/people/mentions.ts';
import { selectDepartments } from '../../../model/people/selectors.ts';
import type { ConversationKey } from '../../../model/streams/conversation.ts';
import type { State } from '../../../model/state.ts';
import { selectQuoteAuthor } from '../message/quoteAuthor.ts';
import { useConversationState } from '../useConversationState.ts';
import { createComposedText } from './composedText.ts';
import type { ChipLabels } from './richText.ts';
import { plainTextOf } from '../../../model/timeline/messageText.ts';

/** The draft of a conversation with chips and quote cards instead of markup. `begin` returns the stored draft. */
export function useComposedText(conversation: ConversationKey, begin: () => string) {
  const labels = useChipLabels();
  const [composed] = useConversationState(conversation, () => createComposedText(begin(), labels));
  const view = useSyncExternalStore(composed.subscribe, composed.view);
  return { composed, view };
}

function useChipLabels(): ChipLabels {
  const model = useCommands();
  const { mention } = useWords();
  const composer = useComposerWords();
  return useMemo(
    () => ({
      reference: (node) => {
        const name = nameOf(model.state(), node, mention.all);
        return 'silent' in node && !node.silent && name !== undefined ? `@${name}` : name;
      },
      quote: (raw, card) => composer.quoteChip(selectQuoteAuthor(model.state(), card), excerptOf(raw)),
    }),
    [model, mention, composer],
  );
}

function nameOf(state: State, node: Reference, all: string): string | undefined {
  switch (node.kind) {
    case 'user-mention':
      return selectMentionedUser(state, node.name, node.id)?.name;
    case 'group-mention':
      // The departments load after the first screen.
      return !selectDepartments(state) || selectMentionedGroup(state, node.name) ? node.name : undefined;
    case 'wildcard-mention':
      return all;
    case 'stream-link':
    case 'topic-link':
      return inlineText(node);
  }
}

/** Characters (UTF-16). */
const longestExcerpt = 20;

/** The beginning of a quoted text, on one line. */
function excerptOf(raw: string): string {
  const text = quotedText(raw);
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt).toWellFormed()}…` : text;
}

/** The text of a quote on one line, without the line that names its message. */
export function quotedText(raw: string): string {
  return plainTextOf({ content: raw, dialect: 'engawa' }).split('\n').slice(1).join(' ').trim();
}

export function inputTypeOf({ nativeEvent }: FormEvent): string {
  return nativeEvent instanceof InputEvent ? nativeEvent.inputType : '';
}
