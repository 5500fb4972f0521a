import { useState, type KeyboardEvent } from 'react';
import { maxDepartmentDepth } from '@engawa/protocol/administration';
import type { DepartmentNode } from '@engawa/protocol/product';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { find, isSame, moved, stepped, type DepartmentMove, type Step } from './departmentModel.ts';

const stepOf: Readonly<Record<string, Step | undefined>> = {
  ArrowUp: 'earlier',
  ArrowDown: 'later',
  ArrowLeft: 'outwards',
  ArrowRight: 'inwards',
};

interface KeyboardMoveOptions {
  readonly tree: readonly DepartmentNode[];
  /** The tree with the grabbed department at its new place. */
  readonly shown: readonly DepartmentNode[];
  readonly folded: ReadonlySet<string>;
  readonly onMove: (move: DepartmentMove | undefined) => void;
  readonly onDrop: (move: DepartmentMove) => void;
}

/** Moves a grabbed department by the arrow keys. `announcement` describes each step to screen readers. */
export function useKeyboardMove({ tree, shown, folded, onMove, onDrop }: KeyboardMoveOptions) {
  const words = useAdministrationWords().departments;
  const [announcement, setAnnouncement] = useState('');
  const nameOf = (code: string) => find(tree, code)?.node.displayName ?? '';

  const grab = (code: string) => {
    const place = find(tree, code)?.place;
    if (!place) return;
    onMove({ code, place });
    setAnnouncement(words.grabbed(nameOf(code)));
  };

  const step = ({ code }: DepartmentMove, direction: Step) => {
    const place = stepped(shown, code, direction, { folded, mostLevels: maxDepartmentDepth });
    if (!place) return;
    onMove({ code, place });
    const parent = place.parent === null ? undefined : find(tree, place.parent)?.node;
    const after = moved(tree, code, place, maxDepartmentDepth) ?? [];
    const siblings = place.parent === null ? after : (find(after, place.parent)?.node.children ?? []);
    setAnnouncement(words.at(parent?.displayName, place.position + 1, siblings.length));
  };

  const cancel = ({ code }: DepartmentMove) => {
    onMove(undefined);
    setAnnouncement(words.cancelled(nameOf(code)));
  };

  const drop = (move: DepartmentMove) => {
    const place = find(tree, move.code)?.place;
    if (!place || isSame(place, move.place)) {
      cancel(move);
      return;
    }
    setAnnouncement('');
    onDrop(move);
  };

  const onKeyDown = (event: KeyboardEvent, move: DepartmentMove) => {
    const direction = stepOf[event.key];
    if (direction) step(move, direction);
    else if (event.key === 'Enter' || event.key === ' ') drop(move);
    else if (event.key === 'Escape') cancel(move);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return { announcement, grab, drop, onKeyDown };
}
