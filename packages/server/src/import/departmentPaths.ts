import { ChatError, cleanStreamName } from '@engawa/chat-server';
import { maxDepartmentDepth, maxDepartmentName } from '@engawa/protocol/administration';
import type { DepartmentRow } from '../departments/store.ts';

/** Where departments are written in one cell, from the highest down. */
const separator = /[/／>＞]/;

/** A department as somebody wrote it. */
export interface WrittenDepartment {
  /** The highest first. */
  readonly names: readonly string[];
  /**
   * Where the first of them stands: at the top, as in `/総務部`, which is no 本社/総務部; in a column for the first level,
   * where a new one is meant for the top; or wherever there is one of the name.
   */
  readonly from: 'top' | 'level' | 'anywhere';
}

/** What a file's person wrote as a department. */
export function pathIn(cell: string): WrittenDepartment {
  const [first = '', ...others] = cell === '' ? [] : cell.split(separator).map(cleanText);
  if (first === '' && others.length > 0) return { names: others, from: 'top' };
  return { names: cell === '' ? [] : [first, ...others], from: 'anywhere' };
}

/** One form for each letter, one blank between words. Width stays as it is: 第１課 is how they write it. */
export const cleanText = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');

/** By what names are the same: 第１課 is 第1課. */
const keyOfName = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
/** A name may have a slash in it: it is compared as if that were a separator. */
const keyOf = (names: readonly string[]): string => names.flatMap((name) => keyOfName(name).split(separator)).join('/');

/** Where each department stands, as a file has it, by its code. */
export function pathsOf(departments: readonly DepartmentRow[]): Map<string, string> {
  const byCode = new Map(departments.map((row) => [row.department_cd, row]));
  const pathOf = ({ parent, display_name: name }: DepartmentRow): string => {
    const above = parent === null ? undefined : byCode.get(parent);
    return above ? `${pathOf(above)}/${name}` : name;
  };
  return new Map(departments.map((row) => [row.department_cd, pathOf(row)]));
}

export type PathFault = 'department-malformed' | 'department-too-deep' | 'department-ambiguous' | 'text-too-long';

interface Place {
  readonly code: string;
  readonly key: string;
  readonly depth: number;
  /** The file makes it. */
  readonly isNew: boolean;
}

export interface MadeDepartment {
  readonly code: string;
  readonly displayName: string;
  readonly parent: string | null;
}

/**
 * Finds departments by the paths of a file, and makes those that are missing. A path that is none from the top may leave
 * out what is above: 総務部 is 本社/総務部 where nothing else ends so.
 */
export class DepartmentPaths {
  /** Parents before children. */
  readonly made: MadeDepartment[] = [];
  readonly #byKey = new Map<string, Place>();
  /** By the last of their names: those that are there already, and those that the file makes. */
  readonly #state = new Map<string, Place[]>();
  readonly #madeByName = new Map<string, Place[]>();
  readonly #newCode: () => string;

  /** @param departments in any order. */
  constructor(departments: readonly DepartmentRow[], newCode: () => string) {
    this.#newCode = newCode;
    const byParent = Map.groupBy(departments, ({ parent }) => parent);
    const add = (parent: string | null, above: readonly string[]): void => {
      for (const { department_cd: code, display_name: name } of byParent.get(parent) ?? []) {
        const names = [...above, name];
        this.#add({ code, key: keyOf(names), depth: names.length, isNew: false }, this.#state);
        add(code, names);
      }
    };
    add(null, []);
  }

  /** @returns the department's code, made where it is missing; or what is wrong with the path. */
  codeOf({ names, from }: WrittenDepartment): { readonly code: string } | { readonly fault: PathFault } {
    if (names.some((name) => [...name].length > maxDepartmentName)) return { fault: 'text-too-long' };
    if (!names.every(isName)) return { fault: 'department-malformed' };
    if (names.length > maxDepartmentDepth) return { fault: 'department-too-deep' };
    const place = from === 'top' ? this.#fromTop(names) : this.#find(names);
    return typeof place === 'string' ? { fault: place } : { code: place.code };
  }

  /** Whether a path that was found names one department even beside those that the file makes. */
  isAmbiguous({ names, from }: WrittenDepartment): boolean {
    if (from === 'top') return false;
    // A bare name that is there at the top can be written in no other way; one that the file puts there may be a slip.
    const root = names.length === 1 && from === 'anywhere' ? this.#byKey.get(keyOf(names)) : undefined;
    if (root?.isNew) {
      return this.#endingIn(root.key, this.#state).length + this.#endingIn(root.key, this.#madeByName).length > 1;
    }
    for (let length = names.length; length > 0; length -= 1) {
      const key = keyOf(names.slice(0, length));
      if (this.#byKey.has(key)) return false;
      const ending = this.#endingIn(key, this.#state);
      if (ending.length > 0) return ending.length + this.#endingIn(key, this.#madeByName).length > 1;
    }
    return false;
  }

  #find(names: readonly string[]): Place | PathFault {
    const key = keyOf(names);
    const exact = this.#byKey.get(key);
    if (exact) return exact;
    const [ending, another] = this.#endingIn(key, this.#state);
    if (another) return 'department-ambiguous';
    if (ending) return ending;
    const above = names.length > 1 ? this.#find(names.slice(0, -1)) : undefined;
    return typeof above === 'string' ? above : this.#below(above, names.at(-1) ?? '');
  }

  #fromTop(names: readonly string[]): Place | PathFault {
    const exact = this.#byKey.get(keyOf(names));
    if (exact) return exact;
    const above = names.length > 1 ? this.#fromTop(names.slice(0, -1)) : undefined;
    return typeof above === 'string' ? above : this.#below(above, names.at(-1) ?? '');
  }

  #below(above: Place | undefined, displayName: string): Place | PathFault {
    const key = above ? `${above.key}/${keyOf([displayName])}` : keyOf([displayName]);
    const there = this.#byKey.get(key);
    if (there) return there;
    const depth = (above?.depth ?? 0) + 1;
    if (depth > maxDepartmentDepth) return 'department-too-deep';
    const place = { code: this.#newCode(), key, depth, isNew: true };
    this.made.push({ code: place.code, displayName, parent: above?.code ?? null });
    this.#add(place, this.#madeByName);
    return place;
  }

  #endingIn(key: string, places: ReadonlyMap<string, readonly Place[]>): readonly Place[] {
    const candidates = places.get(lastOf(key)) ?? [];
    return candidates.filter((place) => place.key === key || place.key.endsWith(`/${key}`));
  }

  #add(place: Place, byName: Map<string, Place[]>): void {
    // The first of two siblings with one name is meant by it.
    if (!this.#byKey.has(place.key)) this.#byKey.set(place.key, place);
    const name = lastOf(place.key);
    const places = byName.get(name);
    if (places) places.push(place);
    else byName.set(name, [place]);
  }
}

/** It is a name of a stream, too; and what nobody sees would make two of one. */
function isName(name: string): boolean {
  try {
    return cleanStreamName(name) === name && !/\p{C}/u.test(name);
  } catch (error) {
    if (error instanceof ChatError) return false;
    throw error;
  }
}

const lastOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
