import { createSignal } from '../model/signal.ts';

const idleAfterMs = 60_000;

/** `away`: hidden, without focus or without recent input. `looking`: focused, but without input since the page was loaded. */
export type Attention = 'away' | 'looking' | 'active';

const movements = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const;

const changed = createSignal();
const loaded = Date.now();
let moved: number | undefined;
let reported: Attention = 'away';
let idle: ReturnType<typeof setTimeout> | undefined;
let stopping: AbortController | undefined;

export function attention(): Attention {
  if (document.visibilityState !== 'visible' || !document.hasFocus()) return 'away';
  if (Date.now() - (moved ?? loaded) >= idleAfterMs) return 'away';
  // The member may have clicked before this code was loaded.
  return moved === undefined && !navigator.userActivation.hasBeenActive ? 'looking' : 'active';
}

export function onAttention(listener: () => void): () => void {
  const unsubscribe = changed.subscribe(listener);
  if (!stopping) begin();
  return () => {
    unsubscribe();
    if (!changed.hasListeners) end();
  };
}

function begin(): void {
  stopping = new AbortController();
  const { signal } = stopping;
  for (const movement of movements) window.addEventListener(movement, move, { signal, passive: true, capture: true });
  // A member who returns to the window is there, even without another input.
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
  // The timer is late after the machine has slept, so `reported` may still say active.
  if (attention() !== 'active') reported = 'away';
  moved = Date.now();
  if (reported !== 'active') look();
}

function look(): void {
  const now = attention();
  if (now !== 'away') waitForIdle();
  if (now === reported) return;
  reported = now;
  changed.emit();
}

/** Uses one timer in all, because input events are frequent. */
function waitForIdle(): void {
  clearTimeout(idle);
  const left = (moved ?? loaded) + idleAfterMs - Date.now();
  idle = setTimeout(() => (attention() === 'away' ? look() : waitForIdle()), Math.max(left, 0));
}
