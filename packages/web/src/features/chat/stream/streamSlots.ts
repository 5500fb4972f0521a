/** What the tools of a stream open. */
export type Tool = 'audioCall' | 'videoCall' | 'profile' | 'notifications' | 'delete';

/** The search is another feature; the app puts it here. */
export interface SearchSlot {
  /** Fetches what opening will need. */
  preload(): void;
  open(): void;
}
