import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

const minute = 60_000;

/** The module as on a page that was just loaded with the focus. */
async function loaded() {
  vi.useFakeTimers();
  vi.resetModules();
  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  const { attention, onAttention } = await import('./attention.ts');
  const changes: string[] = [];
  const stop = onAttention(() => changes.push(attention()));
  onTestFinished(() => {
    stop();
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
  return { attention, onAttention, changes, stop, focus, visibility };
}

beforeEach(() => vi.useRealTimers());

describe('attention', () => {
  it('A member counts as looking after the page load, as active after the first input, and as away after a minute without input', async () => {
    const { attention, changes } = await loaded();
    expect(attention()).toBe('looking');
    dispatchEvent(new Event('pointermove'));
    expect(changes).toEqual(['active']);
    vi.advanceTimersByTime(minute - 1);
    dispatchEvent(new Event('keydown'));
    vi.advanceTimersByTime(minute - 1);
    expect(changes).toEqual(['active']);
    vi.advanceTimersByTime(1);
    expect(changes).toEqual(['active', 'away']);
  });

  it('A member who makes no input counts as away a minute after the page load', async () => {
    const { changes } = await loaded();
    vi.advanceTimersByTime(minute);
    expect(changes).toEqual(['away']);
  });

  it('A member counts as away while the window has no focus or the page is hidden', async () => {
    const { changes, focus, visibility } = await loaded();
    dispatchEvent(new Event('keydown'));
    focus.mockReturnValue(false);
    dispatchEvent(new Event('blur'));
    focus.mockReturnValue(true);
    dispatchEvent(new Event('focus'));
    visibility.mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(changes).toEqual(['active', 'away', 'active', 'away']);
  });

  it('The first input after the machine slept is reported, although the idle timer did not run during the sleep', async () => {
    const { changes } = await loaded();
    dispatchEvent(new Event('keydown'));
    vi.setSystemTime(Date.now() + 10 * minute);
    dispatchEvent(new Event('keydown'));
    expect(changes).toEqual(['active', 'active']);
  });

  it('A removed listener is no longer called, and no timer runs after the last listener is removed', async () => {
    const { changes, stop } = await loaded();
    stop();
    dispatchEvent(new Event('keydown'));
    expect(changes).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
