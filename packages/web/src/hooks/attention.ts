/** Whether the member attends to the page: it is visible, its window has the focus, and there was recent input. */

/** Milliseconds after the last input in which the member still counts as active. */
const idleAfter = 60_000;

/**
 * `away`: the page is hidden or has no focus. `looking`: it has the focus, without input since it was loaded. `active`: there
 * was recent input.
 */
export type Attention = 'away' | 'looking' | 'active';

const movements = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

const listeners = new Set<() => void>();
const loaded = Date.now();
let moved: number | undefined;
let reported: Attention = 'away';
let idle: ReturnType<typeof setTimeout> | undefined;
let stopping: AbortController | undefined;

export function attention(): Attention {
  if (document.visibilityState !== 'visible' || !document.hasFocus()) return 'away';
  if (Date.now() - (moved ?? loaded) >= idleAfter) return 'away';
  return moved === undefined ? 'looking' : 'active';
}

/** Calls the listener after each change; returns how to unsubscribe. */
export function onAttention(listener: () => void): () => void {
  // A wrapper, so that the same function can be subscribed twice.
  const own = () => listener();
  listeners.add(own);
  if (!stopping) begin();
  return () => {
    listeners.delete(own);
    if (listeners.size === 0) end();
  };
}

function begin(): void {
  stopping = new AbortController();
  const { signal } = stopping;
  for (const movement of movements) window.addEventListener(movement, move, { signal, passive: true, capture: true });
  // Focusing the window counts as input, too.
  window.addEventListener('focus', move, { signal });
  window.addEventListener('blur', look, { signal });
  document.addEventListener('visibilitychange', look, { signal });
  reported = attention();
  waitForIdle();
}

function end(): void {
  stopping?.abort();
  stopping = undefined;
  clearTimeout(idle);
}

function move(): void {
  // The timer fires late after the machine has slept.
  if (attention() !== 'active') reported = 'away';
  moved = Date.now();
  if (reported !== 'active') look();
}

function look(): void {
  const now = attention();
  if (now !== 'away') waitForIdle();
  if (now === reported) return;
  reported = now;
  listeners.forEach((listener) => listener());
}

/** One timer, not one per input event. */
function waitForIdle(): void {
  clearTimeout(idle);
  const left = (moved ?? loaded) + idleAfter - Date.now();
  idle = setTimeout(() => (attention() === 'away' ? look() : waitForIdle()), Math.max(left, 0));
}
