import { expect, it } from 'vitest';
import { shortcutGroups, shortcutIds } from './shortcuts.ts';

it.each([true, false])('[R2.25.5] The help lists each shortcut once, whether Enter sends or not (%s)', (enterSends) => {
  const listed = shortcutGroups(enterSends).flatMap(({ shortcuts }) => shortcuts.map(({ id }) => id));
  expect(listed.toSorted()).toEqual(shortcutIds.toSorted());
});

it('[R2.25.1] The help shows the send key that the member has chosen', () => {
  const [byEnter, otherwise] = [true, false].map(
    (enterSends) =>
      shortcutGroups(enterSends)
        .flatMap(({ shortcuts }) => shortcuts)
        .find(({ id }) => id === 'send')?.ways,
  );
  expect(byEnter).toEqual([['enter']]);
  expect(otherwise).toEqual([
    ['ctrl', 'enter'],
    ['command', 'enter'],
  ]);
});
