/** Whether somebody is looking: the page is visible, its window has the focus, and a hand has moved not long ago. */

/** Milliseconds after the last movement in which they still count as being there. */
const idleAfter = 60_000;

/**
 * `away`: nobody looks. `looking`: somebody may, who has not moved since the page was loaded. `active`: somebody does.
 */
export type Attention = 'away' | 'looking' | 'active';

const movements = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

const listeners = new Set<() => void>();
const loaded = Date.now();
let moved: number | undefined;
let told: Attention = 'away';
let idle: ReturnType<typeof setTimeout> | undefined;
let stopping: AbortController | undefined;

export function attention(): Attention {
  if (document.visibilityState !== 'visible' || !document.hasFocus()) return 'away';
  if (Date.now() - (moved ?? loaded) >= idleAfter) return 'away';
  return moved === undefined ? 'looking' : 'active';
}

/** Calls back whenever it has changed; returns how to stop. */
export function onAttention(listener: () => void): () => void {
  // Two subscriptions of the same function are two.
  const heard = () => listener();
  listeners.add(heard);
  if (!stopping) begin();
  return () => {
    listeners.delete(heard);
    if (listeners.size === 0) end();
  };
}

function begin(): void {
  stopping = new AbortController();
  const { signal } = stopping;
  for (const movement of movements) window.addEventListener(movement, move, { signal, passive: true, capture: true });
  // To come back to the window is a movement, too.
  window.addEventListener('focus', move, { signal });
  window.addEventListener('blur', look, { signal });
  document.addEventListener('visibilitychange', look, { signal });
  told = attention();
  waitForIdle();
}

function end(): void {
  stopping?.abort();
  stopping = undefined;
  clearTimeout(idle);
}

function move(): void {
  // The timer comes late where the machine has slept.
  if (attention() !== 'active') told = 'away';
  moved = Date.now();
  if (told !== 'active') look();
}

function look(): void {
  const now = attention();
  if (now !== 'away') waitForIdle();
  if (now === told) return;
  told = now;
  listeners.forEach((listener) => listener());
}

/** One timer, not one for each movement. */
function waitForIdle(): void {
  clearTimeout(idle);
  const left = (moved ?? loaded) + idleAfter - Date.now();
  idle = setTimeout(() => (attention() === 'away' ? look() : waitForIdle()), Math.max(left, 0));
}
