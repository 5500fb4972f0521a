import { counted, englishNumber as number } from './numbers.ts';
import type { ComposerDictionary } from './composer.ja.ts';

export const en: ComposerDictionary = {
  label: (stream) => `Message to ${stream}`,
  placeholder: 'Write a message',
  attach: 'Attach a file',
  emoji: 'Emoji',
  send: 'Send',
  hint: (byEnter) => (byEnter ? 'Enter to send, Shift + Enter for a new line' : 'Ctrl (⌘) + Enter to send, Enter for a new line'),
  removeFile: (name) => `Remove ${name}`,
  draftKept: 'Your text is sent first',
  files: 'Files to send',
  filesChosen: (count, total) => `${number.format(count)} files, ${total} in total`,
  betweenNotes: '. ',
  cleared: 'Your text was cleared',
  quotes: 'Quotes',
  quoteChip: (author, text) => `Quote: ${author}: ${text}`,
  removeQuote: (author) => `Remove the quote of ${author}`,
  fileHint: 'Enter to send, Esc to cancel',
  filesLost: (name, others) =>
    `“${name}”${others > 0 ? ` and ${number.format(others)} more are` : ' is'} no longer attached, because the page was reloaded. Choose again.`,
  tooLong: 'This is too long to send. Send it in parts.',
  length: (length, most) => `${number.format(length)} / ${number.format(most)} characters`,
  pastedPicture: 'Pasted picture',
  tooMany: (most, others) =>
    `You can send at most ${number.format(most)} files at once. ${counted(others, 'file was', 'files were')} not attached.`,
  noFolder: 'A folder cannot be attached. Put it into a ZIP file.',
  tooLarge: (names, most) => `“${names.join('”, “')}” cannot be attached, because files can have at most ${most}.`,
};
