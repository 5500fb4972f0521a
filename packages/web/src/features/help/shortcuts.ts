/** All keyboard shortcuts. `e2e/6-settings.spec.ts` presses each of them, `e2e/10-calls-screens.spec.ts` those of calls. */
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
  | 'A'
  | 'D'
  | 'M'
  | 'V'
  | '↑'
  | '↓'
  | '←'
  | '→';

const callShortcutIds = ['callMute', 'callCamera', 'callTalk', 'callAccept', 'callDecline'] as const;
export type CallShortcutId = (typeof callShortcutIds)[number];

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
  ...callShortcutIds,
] as const;
export type ShortcutId = (typeof shortcutIds)[number];

interface Shortcut {
  readonly id: ShortcutId;
  readonly ways: readonly (readonly Key[])[];
}

export interface ShortcutGroup {
  readonly id: 'everywhere' | 'lists' | 'writing' | 'messages' | 'calls';
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
    {
      id: 'calls',
      shortcuts: [
        { id: 'callMute', ways: [['M']] },
        { id: 'callCamera', ways: [['V']] },
        { id: 'callTalk', ways: [['space']] },
        {
          id: 'callAccept',
          ways: [
            ['ctrl', 'shift', 'A'],
            ['command', 'shift', 'A'],
          ],
        },
        {
          id: 'callDecline',
          ways: [
            ['ctrl', 'shift', 'D'],
            ['command', 'shift', 'D'],
          ],
        },
      ],
    },
  ];
}
