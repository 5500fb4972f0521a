export type KeyStroke = { readonly keyCode: number } & (Composing | { readonly nativeEvent: Composing });

interface Composing {
  readonly isComposing: boolean;
}

const takenByInputMethod = 229;

/** Whether the input method, which converts kana into kanji, takes the key. R4.8.1: every key handler calls this first. */
export function isForInputMethod(stroke: KeyStroke, composing = false): boolean {
  // Safari's keydown comes after the composition, with the code 229 only. `composing` is for engines that report neither.
  const { isComposing } = 'nativeEvent' in stroke ? stroke.nativeEvent : stroke;
  return isComposing || stroke.keyCode === takenByInputMethod || composing;
}
