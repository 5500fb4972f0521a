/** All keyboard shortcuts. `e2e/6-settings.spec.ts` presses each of them. */
export type Key =
  | 'ctrl'
  | 'command'
  | 'shift'
  | 'enter'
  | 'escape'
  | 'space'
  | 'home'
  | 'end'
  | 'context'
  | '?'
  | '/'
  | '@'
  | 'K'
  | '↑'
  | '↓'
  | '←'
  | '→';

export const shortcutIds = [
  'search',
  'help',
  'close',
  'tabs',
  'walk',
  'ends',
  'unfold',
  'open',
  'send',
  'newLine',
  'mention',
  'editLast',
  'clear',
  'walkMessages',
  'messageTools',
] as const;
export type ShortcutId = (typeof shortcutIds)[number];

interface Shortcut {
  readonly id: ShortcutId;
  readonly ways: readonly (readonly Key[])[];
}

export interface ShortcutGroup {
  readonly id: 'everywhere' | 'lists' | 'writing' | 'messages';
  readonly shortcuts: readonly Shortcut[];
}

export function shortcutGroups(enterSends: boolean): readonly ShortcutGroup[] {
  return [
    {
      id: 'everywhere',
      shortcuts: [
        { id: 'search', ways: [['ctrl', 'K'], ['command', 'K'], ['/']] },
        { id: 'help', ways: [['?']] },
        { id: 'close', ways: [['escape']] },
        { id: 'tabs', ways: [['↑'], ['↓']] },
      ],
    },
    {
      id: 'lists',
      shortcuts: [
        { id: 'walk', ways: [['↑'], ['↓']] },
        { id: 'ends', ways: [['home'], ['end']] },
        { id: 'unfold', ways: [['→'], ['←']] },
        { id: 'open', ways: [['enter']] },
      ],
    },
    {
      id: 'writing',
      shortcuts: [
        {
          id: 'send',
          ways: enterSends
            ? [['enter']]
            : [
                ['ctrl', 'enter'],
                ['command', 'enter'],
              ],
        },
        { id: 'newLine', ways: enterSends ? [['shift', 'enter']] : [['enter']] },
        { id: 'mention', ways: [['@']] },
        { id: 'editLast', ways: [['↑']] },
        { id: 'clear', ways: [['escape']] },
      ],
    },
    {
      id: 'messages',
      shortcuts: [
        { id: 'walkMessages', ways: [['↑'], ['↓']] },
        { id: 'messageTools', ways: [['enter'], ['context']] },
      ],
    },
  ];
}
