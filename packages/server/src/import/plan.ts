import { ChatError, type Steps, cleanFullName, isEmailAddress } from '@engawa/chat-server/parts';
import type { OrganisationDirectory } from '../chat/backend.ts';
import { fullNameLength, type Role } from '@engawa/protocol';
import {
  type ImportFault,
  maxEmployeeNumber,
  maxImportCell,
  maxImportFaults,
  maxPosts,
  maxReadingLength,
  maxTitleLength,
} from '@engawa/protocol/administration';
import type { OrganisationPlan, PlannedMember } from '../organisation/plan.ts';
import { type Column, type Columns, columnsOf, isActiveIn, postSeparator, roleOf } from './columns.ts';
import { cleanText, DepartmentPaths, type WrittenDepartment, pathIn } from './departmentPaths.ts';
import { unreadable } from './encoding.ts';
import { type ImportMember, type ImportState, keyIn } from './state.ts';
import type { Table } from './table.ts';

export interface ImportContext {
  readonly state: ImportState;
  readonly mayChangeOwners: boolean;
  readonly managesPeople: boolean;
  readonly takenNames: OrganisationDirectory['takenNames'];
  readonly newDepartmentCode: () => string;
}

export interface ImportPlan {
  readonly faults: readonly ImportFault[];
  readonly faultCount: number;
  readonly ignored: readonly string[];
  readonly plan: OrganisationPlan | undefined;
}

type Fault = ImportFault['fault'];

export function* planOf(table: Table, context: ImportContext): Steps<ImportPlan> {
  const planning = new Planning(table, context);
  if (planning.headerHolds()) {
    for (const [row] of table.rows.entries()) {
      planning.plan(row);
      yield;
    }
    yield* planning.checkAll();
  }
  return planning.result();
}

const personal = [
  'number',
  'name',
  'familyName',
  'givenName',
  'reading',
  'familyReading',
  'givenReading',
  'email',
  'posts',
  'title',
  'role',
  'state',
] as const satisfies readonly Column[];

interface WrittenPath {
  readonly row: number;
  readonly column: string | null;
  readonly path: WrittenDepartment;
}

interface WrittenPerson {
  readonly email: string;
  readonly fullName: string;
  readonly role: Role | undefined;
  readonly isActive: boolean | undefined;
}

interface PlannedRow {
  readonly row: number;
  readonly email: string;
  readonly member: PlannedMember;
  readonly known: ImportMember | undefined;
}

class Planning {
  readonly #table: Table;
  readonly #context: ImportContext;
  readonly #columns: Columns;
  readonly #paths: DepartmentPaths;
  readonly #byEmail: ReadonlyMap<string, ImportMember>;
  readonly #byNumber: ReadonlyMap<string, ImportMember>;
  readonly #faults: ImportFault[] = [];
  readonly #faulty = new Set<string>();
  #faultCount = 0;
  readonly #written: WrittenPath[] = [];
  readonly #rows: PlannedRow[] = [];
  readonly #emails = new Set<string>();
  readonly #numbers = new Set<string>();

  constructor(table: Table, context: ImportContext) {
    const { departments, members } = context.state;
    this.#table = table;
    this.#context = context;
    this.#columns = columnsOf(table.header);
    this.#paths = new DepartmentPaths(departments, context.newDepartmentCode);
    this.#byEmail = new Map(members.map((member) => [member.email.toLowerCase(), member]));
    const numbered = members.filter(({ employeeNumber }) => employeeNumber !== '');
    this.#byNumber = new Map(numbered.map((member) => [member.employeeNumber, member]));
  }

  headerHolds(): boolean {
    const { at, levels, twice } = this.#columns;
    for (const column of twice) this.#fault(null, column, 'column-twice', column);
    if (at.has('department') && levels.length > 0) {
      const column = this.#table.header[levels[0] ?? 0] ?? '';
      this.#fault(null, column, 'column-twice', column);
    }
    const saysWho = at.has('email') || at.has('number');
    const ofPeople = personal.some((column) => at.has(column));
    if (!saysWho && (ofPeople || !this.#saysDepartment())) this.#fault(null, null, 'column-missing', '');
    return this.#faultCount === 0;
  }

  plan(row: number): void {
    const cells = this.#table.rows[row] ?? [];
    const before = this.#faultCount;
    this.#checkCells(row, cells);
    const department = this.#department(row, cells);
    if (personal.some((column) => this.#cell(cells, column) !== '')) this.#person(row, cells, department, before);
  }

  *checkAll(): Steps<void> {
    for (const { row, column, path } of this.#written) {
      if (this.#paths.isAmbiguous(path)) this.#fault(row, column, 'department-ambiguous', path.names.join('/'));
      yield;
    }
    this.#checkEmails();
    yield;
    yield* this.#checkNames();
    this.#checkOwners();
    yield;
  }

  result(): ImportPlan {
    const { ignored } = this.#columns;
    const faults = this.#faults.toSorted((one, other) => (one.row ?? -1) - (other.row ?? -1));
    const members = this.#rows.map(({ member }) => member);
    const plan = this.#faultCount === 0 ? { departments: this.#paths.made, members } : undefined;
    return { faults, faultCount: this.#faultCount, ignored, plan };
  }

  #checkCells(row: number, cells: readonly string[]): void {
    const { header } = this.#table;
    for (const [index, cell] of cells.entries()) {
      if (cell !== '' && index >= header.length) this.#fault(row, null, 'cells-too-many', cell);
    }
    const read = [...this.#columns.at.values(), ...this.#columns.levels, ...this.#columns.posts];
    for (const index of read) {
      const cell = cells[index] ?? '';
      // Private-use characters of a company's own Shift_JIS have no meaning in other programs, and half a character has none at all.
      if (cell.includes(unreadable) || /[\p{Co}\p{Cs}]/u.test(cell)) {
        this.#fault(row, header[index] ?? null, 'text-unreadable', cell);
      }
      if (cell.length > maxImportCell) this.#fault(row, header[index] ?? null, 'text-too-long', cell);
    }
  }

  #person(row: number, cells: readonly string[], main: readonly string[] | undefined, before: number): void {
    const employeeNumber = this.#employeeNumber(row, cells);
    const written = this.#email(row, cells);
    const known = this.#byNumber.get(employeeNumber) ?? this.#byEmail.get(written.toLowerCase());
    // An email that differs only in case is not changed.
    const isSame = written.toLowerCase() === known?.email.toLowerCase();
    const email = written === '' || isSame ? (known?.email ?? '') : written;
    if (written === '' && !known) this.#faultAt(row, 'email', 'email-missing', '');
    const fullName = this.#fullName(row, cells, known);
    const reading = this.#reading(row, cells);
    const title = this.#optional(cells, 'title');
    if (title !== undefined && [...title].length > maxTitleLength) this.#faultAt(row, 'title', 'text-too-long', title);
    const role = this.#role(row, cells);
    const isActive = this.#isActive(row, cells);
    const departments = this.#departments(row, cells, main, known);
    if (!this.#context.managesPeople) this.#checkManaged(row, cells, known, { email, fullName, role, isActive });
    // A row with faults does not reserve its email, so that the same email elsewhere is no further fault.
    if (this.#faultCount > before) return;
    const member: PlannedMember = {
      userId: known?.userId,
      email,
      employeeNumber: orAsItIs(employeeNumber),
      fullName: orAsItIs(fullName),
      reading,
      title,
      role,
      isActive,
      departments,
    };
    this.#rows.push({ row, email, member, known });
  }

  #checkManaged(
    row: number,
    cells: readonly string[],
    known: ImportMember | undefined,
    { email, fullName, role, isActive }: WrittenPerson,
  ): void {
    if (!known) return this.#faultAt(row, 'email', 'person-unknown', this.#cell(cells, 'email'));
    const changes: readonly [Column, boolean][] = [
      ['email', email !== known.email],
      [this.#nameColumn, fullName !== '' && fullName !== known.fullName],
      ['role', role !== undefined && role !== known.role],
      ['state', isActive !== undefined && isActive !== known.isActive],
    ];
    for (const [column, isChanged] of changes) {
      if (isChanged) this.#faultAt(row, column, 'managed-elsewhere', this.#cell(cells, column));
    }
  }

  #employeeNumber(row: number, cells: readonly string[]): string {
    const number = keyIn(this.#cell(cells, 'number'));
    if ([...number].length > maxEmployeeNumber) this.#faultAt(row, 'number', 'text-too-long', number);
    if (number !== '' && this.#numbers.has(number)) this.#faultAt(row, 'number', 'number-twice', number);
    this.#numbers.add(number);
    return number;
  }

  #email(row: number, cells: readonly string[]): string {
    const cell = this.#cell(cells, 'email');
    const email = keyIn(cell);
    if (email === '') return '';
    if (!isEmailAddress(email)) this.#faultAt(row, 'email', 'email-malformed', cell);
    const key = email.toLowerCase();
    if (this.#emails.has(key)) this.#faultAt(row, 'email', 'email-twice', cell);
    this.#emails.add(key);
    return email;
  }

  #fullName(row: number, cells: readonly string[], known: ImportMember | undefined): string {
    const parts = [this.#cell(cells, 'familyName'), this.#cell(cells, 'givenName')].filter((part) => part !== '');
    const whole = this.#cell(cells, 'name');
    const name = cleanText(whole === '' ? parts.join(' ') : whole);
    const column = this.#nameColumn;
    // An empty name is a fault only for a new person; a member keeps the current name.
    if (name === '' && !known) this.#faultAt(row, column, 'name-missing', '');
    if ([...name].length > fullNameLength.most) this.#faultAt(row, column, 'text-too-long', name);
    else if (name !== '' && !isFullName(name)) this.#faultAt(row, column, 'name-malformed', name);
    return name;
  }

  get #nameColumn(): Column {
    return this.#columns.at.has('name') ? 'name' : 'familyName';
  }

  #reading(row: number, cells: readonly string[]): string | undefined {
    const { at } = this.#columns;
    const column = at.has('reading') ? 'reading' : 'familyReading';
    if (!at.has(column) && !at.has('givenReading')) return undefined;
    const parts = [this.#cell(cells, 'familyReading'), this.#cell(cells, 'givenReading')].filter((part) => part !== '');
    const reading = hiraganaOf(at.has('reading') ? this.#cell(cells, 'reading') : parts.join(' '));
    if ([...reading].length > maxReadingLength) this.#faultAt(row, column, 'text-too-long', reading);
    return reading;
  }

  #role(row: number, cells: readonly string[]): Role | undefined {
    const cell = this.#cell(cells, 'role');
    const role = cell === '' ? undefined : roleOf(cell);
    if (cell !== '' && role === undefined) this.#faultAt(row, 'role', 'role-unknown', cell);
    return role;
  }

  #isActive(row: number, cells: readonly string[]): boolean | undefined {
    const cell = this.#cell(cells, 'state');
    const active = cell === '' ? undefined : isActiveIn(cell);
    if (cell !== '' && active === undefined) this.#faultAt(row, 'state', 'state-unknown', cell);
    return active;
  }

  #saysDepartment(): boolean {
    return this.#columns.at.has('department') || this.#columns.levels.length > 0;
  }

  /** Undefined without such a column, empty for an empty cell. */
  #department(row: number, cells: readonly string[]): readonly string[] | undefined {
    if (!this.#saysDepartment()) return undefined;
    const { at, levels } = this.#columns;
    const { header } = this.#table;
    const index = at.get('department') ?? levels[0] ?? 0;
    const inLevels = levels.map((each) => cleanText((cells[each] ?? '').slice(0, maxImportCell)));
    const last = inLevels.findLastIndex((name) => name !== '');
    const levelled = { names: inLevels.slice(0, last + 1), from: 'level' } as const;
    const path = at.has('department') ? pathIn(this.#cell(cells, 'department')) : levelled;
    const code = this.#codeOf(row, header[index] ?? null, path);
    return code === undefined ? [] : [code];
  }

  #departments(
    row: number,
    cells: readonly string[],
    main: readonly string[] | undefined,
    known: ImportMember | undefined,
  ): readonly string[] | undefined {
    const state = known?.departments ?? [];
    const posts = this.#posts(row, cells);
    if (!main && !posts) return undefined;
    const all = [...new Set([...(main ?? state.slice(0, 1)), ...(posts ?? state.slice(1))])];
    if (all.length > maxPosts) this.#faultAt(row, 'posts', 'departments-too-many', this.#cell(cells, 'posts'));
    return all;
  }

  #posts(row: number, cells: readonly string[]): readonly string[] | undefined {
    const index = this.#columns.at.get('posts');
    const ownColumns = this.#columns.posts;
    if (index === undefined && ownColumns.length === 0) return undefined;
    const inOwn = ownColumns.flatMap((at) => {
      const cell = (cells[at] ?? '').slice(0, maxImportCell).trim();
      return this.#codeOf(row, this.#table.header[at] ?? null, pathIn(cell)) ?? [];
    });
    if (index === undefined) return inOwn;
    const written = this.#cell(cells, 'posts')
      .split(postSeparator)
      .map((path) => path.trim());
    const paths = written.filter((path) => path !== '');
    return [...paths.flatMap((path) => this.#codeOf(row, this.#table.header[index] ?? null, pathIn(path)) ?? []), ...inOwn];
  }

  #codeOf(row: number, column: string | null, path: WrittenDepartment): string | undefined {
    const { names } = path;
    if (names.length === 0) return undefined;
    const found = this.#paths.codeOf(path);
    if ('code' in found) {
      this.#written.push({ row, column, path });
      return found.code;
    }
    this.#fault(row, column, found.fault, names.join('/'));
    return undefined;
  }

  #checkEmails(): void {
    const seen = new Set<number>();
    for (const { row, email, known } of this.#rows) {
      // Two rows mean the same member: one by employee number, the other by email.
      if (known && seen.has(known.userId)) this.#faultAt(row, 'email', 'email-twice', email);
      if (known) seen.add(known.userId);
      const holder = this.#byEmail.get(email.toLowerCase());
      if (holder && holder.userId !== known?.userId) this.#faultAt(row, 'email', 'email-in-use', email);
    }
  }

  *#checkNames(): Steps<void> {
    const changed = this.#rows.flatMap(({ row, member, known }) => {
      const fullName = member.fullName ?? known?.fullName ?? '';
      const isActive = member.isActive ?? known?.isActive ?? true;
      const isSame = known?.fullName === fullName && known.isActive === isActive;
      return isSame ? [] : [{ row, userId: known?.userId, fullName, isActive }];
    });
    yield;
    for (const { row, fullName } of yield* this.#context.takenNames(changed))
      this.#faultAt(row, this.#nameColumn, 'name-in-use', fullName);
  }

  #checkOwners(): void {
    const owners = new Set(this.#context.state.members.filter(isOwner).map(({ userId }) => userId));
    const hadOwner = owners.size > 0;
    const lost: number[] = [];
    for (const { row, email, member, known } of this.#rows) {
      const was = known !== undefined && isOwner(known);
      const role = member.role ?? known?.role;
      const is = role === 100 && (member.isActive ?? known?.isActive ?? true);
      if (known && was && !is) {
        owners.delete(known.userId);
        lost.push(row);
      }
      // New owners have no id yet, so a negative row number stands for it.
      if (is && !was) owners.add(known?.userId ?? -row - 1);
      if (this.#context.mayChangeOwners) continue;
      if (was !== is) this.#faultOfOwner(row, 'owners-only');
      // With a new email, an administrator could sign in as the owner.
      else if (known?.role === 100 && email !== known.email) this.#faultAt(row, 'email', 'owners-only', email);
    }
    if (hadOwner && owners.size === 0) for (const row of lost) this.#faultOfOwner(row, 'last-owner');
  }

  #faultOfOwner(row: number, fault: Fault): void {
    const cells = this.#table.rows[row] ?? [];
    const column = this.#cell(cells, 'role') === '' ? 'state' : 'role';
    this.#faultAt(row, column, fault, this.#cell(cells, column));
  }

  #cell(cells: readonly string[], column: Column): string {
    const index = this.#columns.at.get(column);
    return index === undefined ? '' : (cells[index] ?? '').slice(0, maxImportCell).trim();
  }

  #optional(cells: readonly string[], column: Column): string | undefined {
    return this.#columns.at.has(column) ? cleanText(this.#cell(cells, column)) : undefined;
  }

  #faultAt(row: number, column: Column, fault: Fault, value: string): void {
    const index = this.#columns.at.get(column);
    this.#fault(row, index === undefined ? null : (this.#table.header[index] ?? null), fault, value);
  }

  #fault(row: number | null, column: string | null, fault: Fault, value: string): void {
    const cell = `${row} ${column}`;
    if (this.#faulty.has(cell)) return;
    this.#faulty.add(cell);
    this.#faultCount += 1;
    if (this.#faults.length < maxImportFaults) this.#faults.push({ row, column, fault, value: value.slice(0, 200) });
  }
}

const orAsItIs = (text: string): string | undefined => (text === '' ? undefined : text);

const isOwner = ({ role, isActive }: ImportMember): boolean => role === 100 && isActive;

function isFullName(name: string): boolean {
  try {
    return cleanFullName(name) === name;
  } catch (error) {
    if (error instanceof ChatError) return false;
    throw error;
  }
}

/** Readings are stored in hiragana: フジワラ コウイチ becomes ふじわら こういち. */
export function hiraganaOf(reading: string): string {
  const kana = cleanText(reading.normalize('NFKC'));
  return kana.replaceAll(/[ァ-ヶ]/g, (mailText) => String.fromCodePoint((mailText.codePointAt(0) ?? 0) - 0x60));
}
