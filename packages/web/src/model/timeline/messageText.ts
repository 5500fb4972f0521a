/** The text of a message as blocks and as plain text, in the markup of the program that sent it (`dialectOf`). */
import { parseEngawa, plainText, quoteCards, type Block, type Dialect, type Mention, type QuotingBlock } from '@engawa/markup';
import { createSignal } from '../signal.ts';
import { isMessageAddress } from '../streams/address.ts';

export interface MessageText {
  readonly content: string;
  readonly dialect: Dialect;
}

let parseZulip: ((text: string) => readonly Block[]) | undefined;
let loading: Promise<void> | undefined;
const loaded = createSignal();

export const onZulipMarkup = loaded.subscribe;
export const hasZulipMarkup = (): boolean => parseZulip !== undefined;

/** Loads the parser of Zulip's markup with the first message in it. After a failure the next such message tries again. */
export function loadZulipMarkup(): Promise<void> {
  const load = async () => {
    try {
      parseZulip = await (await import('./zulipMarkup.ts')).loadParser();
      loaded.emit();
    } catch (error) {
      // Browsers differ in the error. Until the network is back, the message is shown as if it were one of ours.
      if (!(error instanceof Error)) throw error;
      loading = undefined;
    }
  };
  loading ??= load();
  return loading;
}

/** The blocks of a message, with quotes of messages as cards. Until Zulip's parser is loaded, all texts are parsed as ours. */
export function blocksOf({ content, dialect }: MessageText): readonly QuotingBlock[] {
  if (dialect === 'zulip' && !parseZulip) void loadZulipMarkup();
  return quoteCards(dialect === 'zulip' && parseZulip ? parseZulip(content) : parseEngawa(content), isMessageAddress);
}

/** @param formatMention Returns the text for a mention. Undefined means the mention as typed, without its marks. */
export function plainTextOf(message: MessageText, formatMention?: (mention: Mention) => string | undefined): string {
  return plainText(blocksOf(message), formatMention);
}
