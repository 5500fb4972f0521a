import type { Database } from '@engawa/chat-server/database';
import { type Steps, inTurns } from '@engawa/chat-server/parts';
import type { OrganisationDirectory } from '../chat/backend.ts';
import { ownHeader, ownRole, ownState, postSeparator } from './columns.ts';
import { formula, writeCsv } from './csv.ts';
import { pathsOf } from './departmentPaths.ts';
import { type ImportState, stateOf } from './state.ts';

/** Spreadsheets run such cells as formulas, so a quote is put before them. */
const guarded = (text: string): string => (formula.test(text) ? `'${text}` : text);

const filledTo = (length: number, cells: readonly string[]): string[] => Array.from({ length }, (_, index) => cells[index] ?? '');

/** False if a department's name contains a separator, so that one cell cannot hold the list. */
const isSplitRightly = (paths: readonly string[]): boolean => paths.every((path) => !postSeparator.test(path));

/** Returns a CSV file whose import changes nothing. Each department without members has a separate row. */
export async function exportOf(database: Database, directory: Pick<OrganisationDirectory, 'overview'>): Promise<string> {
  const { people } = await directory.overview({ userIds: [], emails: [], streamIds: [], also: 'everybody' });
  return inTurns(fileOf(await stateOf(database, people)));
}

function* fileOf({ departments, members }: ImportState): Steps<string> {
  const paths = pathsOf(departments);
  const pathOf = (code: string): string => paths.get(code) ?? '';
  const rows: string[][] = [];
  const peopled = new Set<string>();
  let length: number = ownHeader.length;
  for (const { employeeNumber, fullName, reading, email, title, role, isActive, departments: posts } of members) {
    for (const code of posts) peopled.add(code);
    const [main = '', ...others] = posts.map(pathOf);
    const joined = isSplitRightly(others) ? others : [];
    const apart = joined.length === others.length ? [] : others;
    const cells = [employeeNumber, fullName, reading, email, main, joined.join(';'), title, ownRole(role), ownState(isActive)];
    rows.push([...cells, ...apart]);
    length = Math.max(length, cells.length + apart.length);
    yield;
  }
  for (const { department_cd: code } of departments) {
    if (!peopled.has(code)) rows.push(['', '', '', '', pathOf(code), '', '', '', '']);
  }
  const header = [...ownHeader, ...Array.from({ length: length - ownHeader.length }, (_, index) => `兼務${index + 1}`)];
  const lines: string[] = [];
  for (const cells of [header, ...rows]) {
    lines.push(writeCsv([filledTo(length, cells).map(guarded)]));
    yield;
  }
  return `\uFEFF${lines.join('')}`;
}
