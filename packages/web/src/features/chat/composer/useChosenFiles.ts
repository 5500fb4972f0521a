import type { ClipboardEvent, RefObject } from 'react';
import { sanitizeFileName } from '@engawa/protocol';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands } from '../../../hooks/model.ts';
import { fileSize } from '../../../i18n/fileSize.ts';
import { useComposerWords } from '../../../i18n/composer.ts';
import { admitted, holdsFolder, pastedFiles } from './attachments.ts';
import { mostFiles } from '../../../model/drafts/drafts.ts';
import type { ComposedDraft } from './useDraft.ts';

export function useChosenFiles(
  { shown: { files }, written, keep, goOnWriting }: ComposedDraft,
  sendButton: RefObject<HTMLButtonElement | null>,
) {
  const words = useComposerWords();
  const model = useCommands();
  const toast = useToast();

  const choose = (chosen: Iterable<File>) => {
    const draft = written();
    const most = model.session.max_file_size;
    const { taken, tooLarge, beyond } = admitted(chosen, draft.files.length, most);
    const names = tooLarge.map(({ name }) => sanitizeFileName(name));
    if (names.length > 0) toast({ text: words.tooLarge(names, fileSize(most)), tone: 'alert' });
    if (beyond.length > 0) toast({ text: words.tooMany(mostFiles, beyond.length), tone: 'alert' });
    if (taken.length === 0) return;
    keep({ ...draft, files: [...draft.files, ...taken] });
    sendButton.current?.focus();
  };

  const drop = (data: DataTransfer) => {
    if (holdsFolder(data.items)) toast({ text: words.noFolder, tone: 'alert' });
    else choose(data.files);
  };

  const removeFile = (file: File) => {
    const others = files.filter((each) => each !== file);
    keep({ ...written(), files: others });
    if (others.length === 0) goOnWriting();
    else sendButton.current?.focus();
  };

  const onPaste = (event: ClipboardEvent) => {
    const pasted = pastedFiles(event.clipboardData, words.pastedPicture);
    if (pasted.length === 0) return;
    event.preventDefault();
    choose(pasted);
  };

  return { choose, drop, removeFile, onPaste };
}
