import { beforeEach, expect, it } from 'vitest';
import { newStorage } from '../../../test/storage.ts';
import { forgetUnsent, type UnsentStorage } from '../browserStorage.ts';
import { createDrafts, type Drafts } from './drafts.ts';

let browser: UnsentStorage;
let hear: ((name: string) => void)[];
beforeEach(() => {
  browser = newStorage();
  hear = [];
});

function onOtherTab(listener: (name: string) => void): () => void {
  hear.push(listener);
  return () => void hear.splice(hear.indexOf(listener), 1);
}

function pageIn(tab: UnsentStorage, userId = 1): Drafts {
  return createDrafts({ browser, tab, onOtherTab, now: () => 0 }, userId);
}

const text = (written: string) => ({ text: written, files: [] });

it('[R8.4] The store of drafts returns the draft of each stream after a reload and in a new tab', () => {
  const tab = newStorage();
  pageIn(tab).keep(7, text('書きかけ'));
  expect(pageIn(tab).get(8).text).toBe('');
  expect(pageIn(tab).get(7).text).toBe('書きかけ');
  expect(pageIn(newStorage()).get(7).text).toBe('書きかけ');
});

it('The store of drafts reports a draft that another tab has changed or emptied', () => {
  const one = pageIn(newStorage());
  const other = pageIn(newStorage());
  const heard: unknown[] = [];
  other.onChange((...change) => heard.push(change));
  one.keep(7, text('一つ目のタブから'));
  for (const listener of hear) listener('engawa:draft:1:7');
  expect(heard).toEqual([[7, 'elsewhere']]);
  expect(other.get(7).text).toBe('一つ目のタブから');
  one.keep(7, text(''));
  expect(other.get(7).text).toBe('');
});

it('The store of drafts reports no changes of other members’ drafts or other keys, and none after unsubscribing', () => {
  const heard: unknown[] = [];
  const stop = pageIn(newStorage()).onChange((...change) => heard.push(change));
  for (const name of ['engawa:draft:2:7', 'engawa:draft:1:outbox', 'engawa:theme']) hear[0]?.(name);
  stop();
  expect(hear).toEqual([]);
  expect(heard).toEqual([]);
});

it('[R1.5] The store of drafts returns no draft to another member, and none after signing out', () => {
  const tab = newStorage();
  pageIn(tab).keep(7, text('内緒'));
  expect(pageIn(tab, 2).get(7).text).toBe('');
  forgetUnsent(browser, 1);
  expect(pageIn(tab).get(7).text).toBe('');
});

it('The store of drafts leaves nothing in the browser’s storage after a draft is sent or emptied', () => {
  const drafts = pageIn(newStorage());
  drafts.keep(7, text('書きかけ'));
  expect(browser.length).toBeGreaterThan(0);
  drafts.keep(7, text(''));
  expect(browser.length).toBe(0);
  expect([...drafts.conversations()]).toEqual([]);
});

it('The store of drafts keeps a text in memory if the browser’s storage is full', () => {
  browser.setItem('engawa:draft:1:7', '前');
  browser = {
    ...browser,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError');
    },
  };
  const drafts = pageIn(newStorage());
  drafts.keep(7, text('長い文章'));
  expect(drafts.get(7).text).toBe('長い文章');
});

it('[R4.7.2] The store of drafts restores a cleared draft in front of text that was typed later', () => {
  const drafts = pageIn(newStorage());
  const heard: unknown[] = [];
  drafts.onChange((...change) => heard.push(change));
  const file = new File(['x'], 'x.txt');
  drafts.keep(7, text('新しい'));
  drafts.restore(7, { text: '消した', files: [file] });
  expect(drafts.get(7)).toEqual({ text: '消した\n新しい', files: [file] });
  expect(heard).toEqual([[7, 'restored']]);
  const later = new File(['y'], 'y.txt');
  drafts.restore(7, { text: '', files: [later] });
  expect(drafts.get(7).files).toEqual([later, file]);
  drafts.keep(7, { text: '消した\n新しい', files: [file] });
  drafts.rewrite(7, '> 引用\n');
  expect(drafts.get(7)).toEqual({ text: '> 引用\n', files: [file] });
  expect(heard).toHaveLength(3);
});

it('[R2.13] After a reload, the store of drafts returns the names of files chosen before, until the draft is sent', () => {
  const tab = newStorage();
  const drafts = pageIn(tab);
  drafts.keep(7, { text: '', files: [new File(['x'], '見積.xlsx'), new File(['x'], '図,1.png')] });
  expect(drafts.lostFiles(7)).toEqual([]);
  const reloaded = pageIn(tab);
  expect(reloaded.get(7).files).toEqual([]);
  expect(reloaded.lostFiles(7)).toEqual(['見積.xlsx', '図,1.png']);
  reloaded.keep(7, text('こちらです'));
  expect(reloaded.lostFiles(7)).toEqual(['見積.xlsx', '図,1.png']);
  reloaded.keep(7, text(''));
  expect(reloaded.lostFiles(7)).toEqual([]);
  expect(pageIn(newStorage()).lostFiles(7)).toEqual([]);
});

it('[R2.13] The store of drafts does not list a file as lost that the member removed', () => {
  const tab = newStorage();
  const drafts = pageIn(tab);
  drafts.keep(7, { text: '本文', files: [new File(['x'], 'x.txt')] });
  drafts.keep(7, text('本文'));
  expect(drafts.get(7).files).toEqual([]);
  expect(pageIn(tab).lostFiles(7)).toEqual([]);
});

it('[R4.9] The store of drafts returns the unsaved edit of a stream after a reload of the tab, apart from the draft', () => {
  const tab = newStorage();
  pageIn(tab).keep(7, text('書きかけ'));
  const correction = { messageId: 42, before: '7 行\nです', text: '一行め\n二行め' };
  pageIn(tab).keepCorrection(7, correction);
  expect(pageIn(tab).correction(7)).toEqual(correction);
  expect(pageIn(tab).correction(8)).toBeUndefined();
  expect(pageIn(tab, 2).correction(7)).toBeUndefined();
  expect(pageIn(newStorage()).correction(7)).toBeUndefined();
  expect(pageIn(tab).get(7).text).toBe('書きかけ');
  pageIn(tab).keepCorrection(7, undefined);
  expect(pageIn(tab).correction(7)).toBeUndefined();
});

it('[R1.8] The store of drafts returns the draft of a direct conversation after a reload and reports changes by another tab', () => {
  const browser = newStorage();
  const told: ((name: string) => void)[] = [];
  const parts = {
    browser,
    tab: undefined,
    now: () => 0,
    onOtherTab: (listener: (name: string) => void) => (told.push(listener), () => {}),
  };
  createDrafts(parts, 1).keep('direct:1,4', text('あとで'));
  const drafts = createDrafts(parts, 1);
  expect([drafts.get('direct:1,4').text, drafts.get('direct:1,5').text]).toEqual(['あとで', '']);
  const heard: unknown[] = [];
  drafts.onChange((...change) => heard.push(change));
  for (const name of ['engawa:draft:1:direct:1,4', 'engawa:draft:1:direct:1,4:edit']) told.forEach((tell) => tell(name));
  expect(heard).toEqual([['direct:1,4', 'elsewhere']]);
});
