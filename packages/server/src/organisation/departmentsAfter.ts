import { ChatError, cleanStreamName } from '@engawa/chat-server/parts';
import { maxDepartmentDepth, maxDepartmentName, maxDepartments } from '@engawa/protocol/administration';
import { streamNameKey } from '@engawa/protocol';
import type { DepartmentRow } from '../departments/store.ts';
import { refused } from '../http/errors.ts';
import type { OrganisationPlan, PlannedDepartment } from './plan.ts';

type PlacedDepartment = Omit<DepartmentRow, 'stream_id'>;

export interface DepartmentsAfter {
  /** Departments after the plan, parents before children. */
  readonly all: ReadonlyMap<string, PlacedDepartment>;
  readonly streamIds: ReadonlyMap<string, number | null>;
  readonly made: readonly PlacedDepartment[];
  readonly changed: readonly PlacedDepartment[];
  /** Departments that the plan removes, children before parents. */
  readonly removed: readonly DepartmentRow[];
  readonly moved: readonly PlacedDepartment[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Possible stream names by department, the best first; only for streams whose name may change. */
  readonly streamNames: ReadonlyMap<string, readonly string[]>;
}

/** @throws RefusedError if the plan does not result in a tree. */
export function departmentsAfter(before: readonly DepartmentRow[], plan: OrganisationPlan): DepartmentsAfter {
  const rows = new Map(before.map((row) => [row.department_cd, row]));
  const tree = new Tree(before);
  for (const planned of plan.departments) tree.plan(planned);
  for (const code of plan.removedDepartments ?? []) tree.remove(code);
  const all = tree.places();

  const made = [...all.values()].filter(({ department_cd }) => !rows.has(department_cd));
  const changed = [...all.values()].filter((place) => {
    const row = rows.get(place.department_cd);
    return row !== undefined && !isSame(row, place);
  });
  const named = [...new Set(plan.departments.map(({ code }) => code))].flatMap((code) => all.get(code) ?? []);
  const moved = named.filter(({ department_cd, parent, position }) => {
    const row = rows.get(department_cd);
    return row !== undefined && (row.parent !== parent || row.position !== position);
  });
  const renamed = named.flatMap(({ department_cd, display_name: to }) => {
    const from = rows.get(department_cd)?.display_name;
    return from === undefined || from === to ? [] : [{ from, to }];
  });
  refuseDuplicateNames(all, [...made, ...moved, ...changed]);
  return {
    all,
    streamIds: new Map(before.map(({ department_cd, stream_id }) => [department_cd, stream_id])),
    made,
    changed,
    removed: (plan.removedDepartments ?? []).flatMap((code) => rows.get(code) ?? []),
    moved,
    renamed,
    streamNames: new Map(
      [...all.values()]
        .filter((place) => isNameAffected(place, rows, all))
        .map((place) => [place.department_cd, namesOf(place, all)]),
    ),
  };
}

/** The codes from the department up to its root. */
export function lineOf(places: ReadonlyMap<string, Pick<PlacedDepartment, 'parent' | 'department_cd'>>, code: string): string[] {
  const line: string[] = [];
  for (let at = places.get(code); at && line.length <= maxDepartmentDepth; at = places.get(at.parent ?? '')) {
    line.push(at.department_cd);
  }
  return line;
}

/** The tree of departments while a plan is applied; roots are children of null. */
class Tree {
  readonly #names = new Map<string, string>();
  readonly #parents = new Map<string, string | null>();
  readonly #children = new Map<string | null, string[]>([[null, []]]);

  constructor(rows: readonly DepartmentRow[]) {
    for (const { department_cd: code, display_name, parent } of rows) {
      this.#names.set(code, display_name);
      this.#parents.set(code, parent);
      this.#childrenOf(parent).push(code);
    }
  }

  plan({ code, displayName, parent, position }: PlannedDepartment): void {
    const isNew = !this.#names.has(code);
    if (isNew && displayName === undefined) throw refused.noSuchDepartment();
    if (displayName !== undefined) this.#names.set(code, cleanDepartmentName(displayName));
    if (isNew) {
      this.#put(code, parent ?? null, position);
    } else if (parent !== undefined || position !== undefined) {
      const former = this.#parents.get(code) ?? null;
      const target = parent === undefined ? former : parent;
      // A department that stays below its parent keeps its position unless the plan names one.
      if (target === former && position === undefined) return;
      this.#take(code, former);
      this.#put(code, target, position);
    }
    if (this.#names.size > maxDepartments) throw refused.tooManyDepartments(maxDepartments);
  }

  remove(code: string): void {
    if (!this.#names.has(code)) throw refused.noSuchDepartment();
    if (this.#childrenOf(code).length > 0) throw refused.departmentNotEmpty();
    this.#take(code, this.#parents.get(code) ?? null);
    this.#names.delete(code);
    this.#parents.delete(code);
  }

  /** @throws RefusedError for cycles and for too many levels. */
  places(): Map<string, PlacedDepartment> {
    const places = new Map<string, PlacedDepartment>();
    const walk = (parent: string | null, depth: number): void => {
      for (const [position, code] of this.#childrenOf(parent).entries()) {
        if (depth > maxDepartmentDepth) throw refused.departmentTooDeep(maxDepartmentDepth);
        places.set(code, { department_cd: code, parent, position, display_name: this.#names.get(code) ?? '' });
        walk(code, depth + 1);
      }
    };
    walk(null, 1);
    if (places.size < this.#names.size) throw refused.departmentBelowItself();
    return places;
  }

  #put(code: string, parent: string | null, position: number | undefined): void {
    if (parent !== null && !this.#names.has(parent)) throw refused.noSuchDepartment();
    const siblings = this.#childrenOf(parent);
    siblings.splice(position ?? siblings.length, 0, code);
    this.#parents.set(code, parent);
  }

  #take(code: string, parent: string | null): void {
    this.#children.set(
      parent,
      this.#childrenOf(parent).filter((each) => each !== code),
    );
  }

  #childrenOf(parent: string | null): string[] {
    const children = this.#children.get(parent) ?? [];
    this.#children.set(parent, children);
    return children;
  }
}

/** @throws RefusedError also for a name that no stream can have. */
function cleanDepartmentName(name: string): string {
  if ([...name.trim()].length > maxDepartmentName) throw refused.departmentName(`at most ${maxDepartmentName} characters`);
  try {
    return cleanStreamName(name);
  } catch (error) {
    if (error instanceof ChatError) throw refused.departmentName(error.message);
    throw error;
  }
}

/** Siblings with the same name would be indistinguishable. */
function refuseDuplicateNames(all: ReadonlyMap<string, PlacedDepartment>, touched: readonly PlacedDepartment[]): void {
  const siblings = Map.groupBy(all.values(), ({ parent }) => parent);
  const places = new Set(touched.map(({ parent }) => parent));
  for (const parent of places) {
    const names = (siblings.get(parent) ?? []).map(({ display_name }) => streamNameKey(display_name));
    if (new Set(names).size < names.length) throw refused.departmentTwice();
  }
}

function isSame(one: PlacedDepartment, other: PlacedDepartment): boolean {
  return one.parent === other.parent && one.position === other.position && one.display_name === other.display_name;
}

/** True if the department or its parent is new or renamed, or if it moved. */
function isNameAffected(
  place: PlacedDepartment,
  rows: ReadonlyMap<string, DepartmentRow>,
  all: ReadonlyMap<string, PlacedDepartment>,
): boolean {
  const row = rows.get(place.department_cd);
  if (!row || row.display_name !== place.display_name || row.parent !== place.parent) return true;
  return place.parent !== null && rows.get(place.parent)?.display_name !== all.get(place.parent)?.display_name;
}

/** Names for its stream: 総務課; if in use, 営業部 総務課, then 株式会社 縁側 営業部 総務課, up to the maximum length. */
function namesOf(place: PlacedDepartment, all: ReadonlyMap<string, PlacedDepartment>): string[] {
  const line = lineOf(all, place.department_cd).map((code) => all.get(code)?.display_name ?? '');
  const names = line.map((_, index) =>
    line
      .slice(0, index + 1)
      .toReversed()
      .join(' '),
  );
  return names.filter((name, index) => index === 0 || [...name].length <= maxDepartmentName);
}
