export type Tool = 'audioCall' | 'videoCall' | 'profile' | 'notifications' | 'delete';

export interface SearchSlot {
  preload(): void;
  open(): void;
}
