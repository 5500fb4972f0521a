import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { ListIsShown, useOpened } from './useOpened.ts';

function openedIn() {
  let isShown = true;
  const wrapper = ({ children }: { readonly children: ReactNode }) => <ListIsShown value={isShown}>{children}</ListIsShown>;
  const { result, rerender } = renderHook(() => useOpened<string>(), { wrapper });
  return {
    opened: () => result.current[0],
    open: (what: string) => act(() => result.current[1](what)),
    show(shown: boolean) {
      isShown = shown;
      rerender();
    },
  };
}

it('A menu in a list of messages closes when the list is hidden, and stays closed when the list is shown again', () => {
  const { opened, open, show } = openedIn();
  open('menu');
  expect(opened()).toBe('menu');
  show(false);
  expect(opened()).toBeUndefined();
  show(true);
  expect(opened()).toBeUndefined();
});

it('A long press that ends after its list was hidden opens nothing, also when the list is shown again', () => {
  const { opened, open, show } = openedIn();
  show(false);
  open('sheet');
  expect(opened()).toBeUndefined();
  show(true);
  expect(opened()).toBeUndefined();
  open('sheet');
  expect(opened()).toBe('sheet');
});
