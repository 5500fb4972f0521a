/** Built by `build/emoji.ts`. */
declare module 'virtual:emoji' {
  export interface Emoji {
    readonly emoji: string;
    readonly ja: string;
    readonly en: string;
    readonly tags: string;
    /** Only of a custom emoji: the address of its picture. `emoji` is then `:name:`. */
    readonly url?: string;
  }
  export type Group = 'people' | 'nature' | 'objects' | 'places' | 'symbols';
  export type EmojiTable = Readonly<Record<Group, readonly Emoji[]>>;

  const table: EmojiTable;
  export default table;
}

declare module 'virtual:emoji-names' {
  const names: Readonly<Record<string, string>>;
  export default names;
}

declare module 'virtual:emoji-codes' {
  const codes: Readonly<Record<string, string>>;
  export default codes;
}
