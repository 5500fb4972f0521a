/** Which stream the member keeps unread, through a reload of the tab. */
import { unsentPrefix, type UnsentStorage } from './unsentStorage.ts';

export interface KeptUnread {
  /** A stream's number. */
  read(): number | undefined;
  keep(streamId: number | undefined): void;
}

export function keptUnreadIn(storage: UnsentStorage | undefined, userId: number | undefined): KeptUnread {
  const name = `${unsentPrefix}${userId}:unread`;
  return {
    read() {
      const text = storage?.getItem(name) ?? '';
      return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
    },

    keep(streamId) {
      try {
        if (streamId === undefined) storage?.removeItem(name);
        else storage?.setItem(name, String(streamId));
      } catch {
        // The storage is full or forbidden: the stream stays unread as long as the page.
      }
    },
  };
}
