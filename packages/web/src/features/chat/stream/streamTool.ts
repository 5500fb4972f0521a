export type Tool = 'audioCall' | 'videoCall' | 'profile' | 'notifications' | 'delete';

/** The search is another feature. The app injects it. */
export interface SearchSlot {
  preload(): void;
  open(): void;
}
