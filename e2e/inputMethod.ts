/**
 * A Japanese input method, through the browser's debugging protocol: real compositions, and keys as browsers report
 * them.
 */
import { type Page, test } from '@playwright/test';

export const browsers = ['Chrome and Edge', 'Firefox', 'Safari'] as const;
export type BrowserName = (typeof browsers)[number];

/** Runs the steps of a test with the key events of each browser. */
export async function withEachBrowser(act: (browser: BrowserName) => Promise<void>): Promise<void> {
  for (const browser of browsers) await test.step(browser, () => act(browser));
}

export interface InputMethod {
  /** Shows unconfirmed kana or kanji. */
  compose(text: string): Promise<void>;
  /** Confirms the text, as `compositionend` does. */
  commit(text: string): Promise<void>;
  /** Cancels the composition. */
  cancel(): Promise<void>;
  /** Presses a key that the input method handles. `key` is the value that the browser reports for it. */
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

/** Sends the events of a key that ends a composition, in the order of one browser. `end` ends the composition. */
type Order = (ime: InputMethod, code: Code, end: () => Promise<void>) => Promise<void>;

export const orders: Readonly<Record<BrowserName, Order>> = {
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
};

/** Converts kana to kanji and confirms with Enter. */
export async function confirm(ime: InputMethod, browser: BrowserName, kana: string, kanji: string): Promise<void> {
  await ime.compose(kana);
  await ime.compose(kanji);
  await orders[browser](ime, 'Enter', () => ime.commit(kanji));
}

/** Cancels a composition with Escape. */
export async function takeBack(ime: InputMethod, browser: BrowserName, kana: string): Promise<void> {
  await ime.compose(kana);
  await orders[browser](ime, 'Escape', () => ime.cancel());
}
