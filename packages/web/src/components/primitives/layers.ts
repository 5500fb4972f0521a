/**
 * Layers are the dialogs, menus and pickers that are open over the screen. Back closes the topmost one before it leaves the screen.
 * Each open layer has a history entry with the address and the state of the entry below. We use the History API, because
 * `CloseWatcher` is missing in some browsers and ignores the Back button of a desktop.
 */
import { useEffectEvent, useLayoutEffect } from 'react';

/** How to close each open layer, the topmost last. */
const open: (() => void)[] = [];
/** Called when the traversal of the history that this module has begun arrives; undefined if there is none. */
let arrival: (() => void) | undefined;
let settling = false;
let leaving = false;

/** Makes the calling component a layer while it is mounted and `isLayer` is true. @param close Called for Back. */
export function useLayer(close: () => void, isLayer = true): void {
  const closeNow = useEffectEvent(close);
  useLayoutEffect(() => {
    if (!isLayer) return undefined;
    const layer = () => closeNow();
    open.push(layer);
    // At once, so that the next Back finds the entry; but after the changes that are rendered together with this one.
    queueMicrotask(settle);
    return () => {
      open.splice(open.indexOf(layer), 1);
      settleSoon();
    };
  }, [isLayer]);
}

/** The number of layers to which the current history entry belongs. */
export function layerOf(state: unknown): number {
  const { layer } = Object(state);
  return typeof layer === 'number' ? layer : 0;
}

/** Acts on the entry that belongs to so many layers, or fewer. A new address takes its place, so no entry of a layer remains. */
export function onLayer(most: number, act: () => void): void {
  const before = arrival;
  if (before) {
    // The current entry is about to be left.
    arrival = () => {
      before();
      onLayer(most, act);
    };
    return;
  }
  const arrive = () => {
    act();
    settleSoon();
  };
  const depth = layerOf(history.state);
  if (depth <= most) arrive();
  else traverse(most - depth, arrive);
}

/** Loads another page or this one again. Layers that close meanwhile keep their entries, because a traversal would cancel the load. */
export function leavePage(load: () => void): void {
  leaving = true;
  const before = arrival;
  if (!before) return load();
  arrival = () => {
    before();
    load();
  };
}

/** Listens to Back. A page that begins on an entry of a layer, after a reload, goes to the entry below. */
export function watchLayers(): void {
  addEventListener('popstate', () => {
    const arrive = arrival;
    arrival = undefined;
    if (arrive) arrive();
    else for (const close of open.slice(layerOf(history.state)).toReversed()) close();
    settleSoon();
  });
  settleSoon();
}

function traverse(steps: number, arrive: () => void): void {
  arrival = arrive;
  history.go(steps);
}

/** Later, because one layer often replaces another: then the entry of the first one serves the second one. */
function settleSoon(): void {
  if (settling) return;
  settling = true;
  setTimeout(() => {
    settling = false;
    settle();
  });
}

/** Makes the current entry belong to as many layers as are open. */
function settle(): void {
  if (arrival || leaving) return;
  const depth = layerOf(history.state);
  if (depth > open.length) traverse(open.length - depth, () => undefined);
  for (let layer = depth + 1; layer <= open.length; layer += 1) history.pushState({ ...Object(history.state), layer }, '');
}
