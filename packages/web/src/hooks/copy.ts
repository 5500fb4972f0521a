import { copied } from '../components/clipboard.ts';
import { useToast } from '../components/primitives/Toasts.tsx';

export interface CopyWords {
  readonly copied: string;
  readonly notCopied: string;
}

/** @returns a function that copies a text and says so, or asks the member to copy it by hand. */
export function useCopy(): (text: string, words: CopyWords) => void {
  const toast = useToast();
  const copy = async (text: string, words: CopyWords) => {
    toast((await copied(text)) ? { text: words.copied, tone: 'note' } : { text: words.notCopied, tone: 'alert' });
  };
  return (text, words) => void copy(text, words);
}
