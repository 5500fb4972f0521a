/** A Japanese input method at work, through the browser's own protocol: real compositions, and keys as browsers tell them. */
import type { Page } from '@playwright/test';

export interface InputMethod {
  /** Shows kana, or what they were turned into, that are not in the text yet. */
  compose(text: string): Promise<void>;
  /** Puts it into the text: compositionend. */
  commit(text: string): Promise<void>;
  /** Takes it away again. */
  cancel(): Promise<void>;
  /** A key that the input method has taken, as `key` names it. */
  keyDown(code: Code, key?: string): Promise<void>;
  keyUp(code: Code): Promise<void>;
}

type Code = 'Enter' | 'Escape';

const keyCodes = { Enter: 13, Escape: 27 } as const;
const takenByInputMethod = 229;

export async function inputMethod(page: Page): Promise<InputMethod> {
  const browser = await page.context().newCDPSession(page);
  const compose = async (text: string) => {
    await browser.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  };
  return {
    compose,
    commit: async (text) => {
      await browser.send('Input.insertText', { text });
    },
    cancel: () => compose(''),
    keyDown: async (code, key = code) => {
      const event = { type: 'rawKeyDown', code, key, windowsVirtualKeyCode: takenByInputMethod } as const;
      await browser.send('Input.dispatchKeyEvent', event);
    },
    keyUp: async (code) => {
      await browser.send('Input.dispatchKeyEvent', { type: 'keyUp', code, key: code, windowsVirtualKeyCode: keyCodes[code] });
    },
  };
}

/** How a browser tells of the key that ends a composition; `end` ends it. */
type Order = (ime: InputMethod, code: Code, end: () => Promise<void>) => Promise<void>;

export const orders = {
  'Chrome and Edge': async (ime, code, end) => {
    await ime.keyDown(code);
    await end();
    await ime.keyUp(code);
  },
  Firefox: async (ime, code, end) => {
    await ime.keyDown(code, 'Process');
    await end();
    await ime.keyUp(code);
  },
  Safari: async (ime, code, end) => {
    await end();
    await ime.keyDown(code);
    await ime.keyUp(code);
  },
} as const satisfies Record<string, Order>;

export type BrowserName = keyof typeof orders;

/** Kana are turned into kanji, and Enter confirms them. */
export async function confirm(ime: InputMethod, browser: BrowserName, kana: string, kanji: string): Promise<void> {
  await ime.compose(kana);
  await ime.compose(kanji);
  await orders[browser](ime, 'Enter', () => ime.commit(kanji));
}

/** Escape takes back what was being composed. */
export async function takeBack(ime: InputMethod, browser: BrowserName, kana: string): Promise<void> {
  await ime.compose(kana);
  await orders[browser](ime, 'Escape', () => ime.cancel());
}
