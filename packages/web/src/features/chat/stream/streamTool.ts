export type Tool = 'profile' | 'notifications' | 'delete';

export interface SearchSlot {
  preload(): void;
  open(): void;
}
