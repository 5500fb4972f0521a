/** The dialogs of a stream's tools. */
export type Tool = 'audioCall' | 'videoCall' | 'profile' | 'notifications' | 'delete';

/** The search is another feature. The app injects it. */
export interface SearchSlot {
  /** Preloads the code. */
  preload(): void;
  open(): void;
}
