import { useSyncExternalStore } from 'react';
import { hasZulipMarkup, onZulipMarkup, plainTextOf } from '../model/timeline/messageText.ts';

/** Whether texts of other programs are parsed as theirs. The component renders again when that becomes so. */
export const useZulipMarkup = (): boolean => useSyncExternalStore(onZulipMarkup, hasZulipMarkup);

const before: typeof plainTextOf = (...input) => plainTextOf(...input);

/** `plainTextOf`, which is another function once it answers other texts. */
export const usePlainTextOf = (): typeof plainTextOf => (useZulipMarkup() ? plainTextOf : before);
