import { ChatError, cleanStreamName } from '@engawa/chat-server/parts';
import { maxDepartmentDepth, maxDepartmentName } from '@engawa/protocol/administration';
import type { DepartmentRow } from '../departments/store.ts';

const separator = /[/／>＞]/;

export interface WrittenDepartment {
  /** The names on the path to a department, the highest level first. */
  readonly names: readonly string[];
  /** `top`: a root, as in `/総務部`; `level`: from a column per level, where a new department becomes a root; `anywhere`: any. */
  readonly from: 'top' | 'level' | 'anywhere';
}

export function pathIn(cell: string): WrittenDepartment {
  const [first = '', ...others] = cell === '' ? [] : cell.split(separator).map(cleanText);
  if (first === '' && others.length > 0) return { names: others, from: 'top' };
  return { names: cell === '' ? [] : [first, ...others], from: 'anywhere' };
}

/** NFC with single spaces. Full width is preserved: 第１課 is the organisation's own spelling. */
export const cleanText = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');

/** Names are compared without width and case: 第１課 equals 第1課. */
const keyOfName = (name: string): string => name.normalize('NFKC').toLowerCase().replaceAll(/\s/g, '');
/** A name may contain a slash, so it is compared as if that were a separator. */
const keyOf = (names: readonly string[]): string => names.flatMap((name) => keyOfName(name).split(separator)).join('/');

export function pathsOf(departments: readonly DepartmentRow[]): Map<string, string> {
  const byCode = new Map(departments.map((row) => [row.department_cd, row]));
  const pathOf = ({ parent, display_name: name }: DepartmentRow): string => {
    const above = parent === null ? undefined : byCode.get(parent);
    return above ? `${pathOf(above)}/${name}` : name;
  };
  return new Map(departments.map((row) => [row.department_cd, pathOf(row)]));
}

export type PathFault = 'department-malformed' | 'department-too-deep' | 'department-ambiguous' | 'text-too-long';

interface DepartmentPath {
  readonly code: string;
  readonly key: string;
  readonly depth: number;
  readonly isNew: boolean;
}

export interface MadeDepartment {
  readonly code: string;
  readonly displayName: string;
  readonly parent: string | null;
}

/** A path may omit its highest levels if it stays unambiguous. Missing departments are created. */
export class DepartmentPaths {
  /** Parents come before children. */
  readonly made: MadeDepartment[] = [];
  readonly #byKey = new Map<string, DepartmentPath>();
  readonly #existing = new Map<string, DepartmentPath[]>();
  readonly #madeByName = new Map<string, DepartmentPath[]>();
  readonly #newCode: () => string;

  constructor(departments: readonly DepartmentRow[], newCode: () => string) {
    this.#newCode = newCode;
    const byParent = Map.groupBy(departments, ({ parent }) => parent);
    const add = (parent: string | null, above: readonly string[]): void => {
      for (const { department_cd: code, display_name: name } of byParent.get(parent) ?? []) {
        const names = [...above, name];
        this.#add({ code, key: keyOf(names), depth: names.length, isNew: false }, this.#existing);
        add(code, names);
      }
    };
    add(null, []);
  }

  codeOf({ names, from }: WrittenDepartment): { readonly code: string } | { readonly fault: PathFault } {
    if (names.some((name) => [...name].length > maxDepartmentName)) return { fault: 'text-too-long' };
    if (!names.every(isName)) return { fault: 'department-malformed' };
    if (names.length > maxDepartmentDepth) return { fault: 'department-too-deep' };
    const place = from === 'top' ? this.#fromTop(names) : this.#find(names);
    return typeof place === 'string' ? { fault: place } : { code: place.code };
  }

  isAmbiguous({ names, from }: WrittenDepartment): boolean {
    if (from === 'top') return false;
    // A bare name means an existing root. A root that the file itself creates may be a typing error, so it does not count.
    const root = names.length === 1 && from === 'anywhere' ? this.#byKey.get(keyOf(names)) : undefined;
    if (root?.isNew) {
      return this.#endingIn(root.key, this.#existing).length + this.#endingIn(root.key, this.#madeByName).length > 1;
    }
    for (let length = names.length; length > 0; length -= 1) {
      const key = keyOf(names.slice(0, length));
      if (this.#byKey.has(key)) return false;
      const ending = this.#endingIn(key, this.#existing);
      if (ending.length > 0) return ending.length + this.#endingIn(key, this.#madeByName).length > 1;
    }
    return false;
  }

  #find(names: readonly string[]): DepartmentPath | PathFault {
    const key = keyOf(names);
    const exact = this.#byKey.get(key);
    if (exact) return exact;
    const [ending, another] = this.#endingIn(key, this.#existing);
    if (another) return 'department-ambiguous';
    if (ending) return ending;
    const above = names.length > 1 ? this.#find(names.slice(0, -1)) : undefined;
    return typeof above === 'string' ? above : this.#below(above, names.at(-1) ?? '');
  }

  #fromTop(names: readonly string[]): DepartmentPath | PathFault {
    const exact = this.#byKey.get(keyOf(names));
    if (exact) return exact;
    const above = names.length > 1 ? this.#fromTop(names.slice(0, -1)) : undefined;
    return typeof above === 'string' ? above : this.#below(above, names.at(-1) ?? '');
  }

  #below(above: DepartmentPath | undefined, displayName: string): DepartmentPath | PathFault {
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

  #endingIn(key: string, places: ReadonlyMap<string, readonly DepartmentPath[]>): readonly DepartmentPath[] {
    const candidates = places.get(lastOf(key)) ?? [];
    return candidates.filter((place) => place.key === key || place.key.endsWith(`/${key}`));
  }

  #add(place: DepartmentPath, byName: Map<string, DepartmentPath[]>): void {
    // If two siblings have the same name, their path means the first one.
    if (!this.#byKey.has(place.key)) this.#byKey.set(place.key, place);
    const name = lastOf(place.key);
    const places = byName.get(name);
    if (places) places.push(place);
    else byName.set(name, [place]);
  }
}

/** The name must also be valid for a stream. Invisible characters would make two departments look alike. */
function isName(name: string): boolean {
  try {
    return cleanStreamName(name) === name && !/\p{C}/u.test(name);
  } catch (error) {
    if (error instanceof ChatError) return false;
    throw error;
  }
}

const lastOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
