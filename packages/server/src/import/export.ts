import type { Database } from '@engawa/chat-server/database';
import type { OrganisationDirectory } from '../chat/backend.ts';
import { departments, departmentsByUser } from '../departments/store.ts';
import { profilesByUser } from '../profile/store.ts';
import { ownHeader, ownRole, ownState, postSeparator } from './columns.ts';
import { formula, writeCsv } from './csv.ts';
import { pathsOf } from './departmentPaths.ts';

/** Spreadsheets run such cells as formulas, so a quote is put before them. */
const guarded = (text: string): string => (formula.test(text) ? `'${text}` : text);

const filledTo = (length: number, cells: readonly string[]): string[] => Array.from({ length }, (_, index) => cells[index] ?? '');

/** False if a department's name contains a separator, so that one cell cannot hold the list. */
const isSplitRightly = (paths: readonly string[]): boolean => paths.every((path) => !postSeparator.test(path));

/** Returns a CSV file whose import changes nothing. Each department without members has a separate row. */
export async function exportOf(database: Database, directory: Pick<OrganisationDirectory, 'overview'>): Promise<string> {
  const { people } = await directory.overview({ userIds: [], emails: [], streamIds: [], also: 'everybody' });
  const { rows, posts, profileOf } = database.snapshot((reader) => {
    const ids = people.map(({ userId }) => userId);
    return {
      rows: departments.all(reader),
      posts: departmentsByUser(reader, ids),
      profileOf: profilesByUser(reader, ids),
    };
  });
  const paths = pathsOf(rows);
  const pathOf = (code: string): string => paths.get(code) ?? '';
  const rowsOfPeople = people.map(({ userId, fullName, email, role, isActive }) => {
    const { employee_number = '', reading = '', title = '' } = profileOf.get(userId) ?? {};
    const [main = '', ...others] = (posts.get(userId) ?? []).map(pathOf);
    const joined = isSplitRightly(others) ? others : [];
    const apart = joined.length === others.length ? [] : others;
    const cells = [employee_number, fullName, reading, email, main, joined.join(';'), title, ownRole(role), ownState(isActive)];
    return [...cells, ...apart];
  });
  const peopled = new Set([...posts.values()].flat());
  const rowsOfDepartments = rows
    .filter(({ department_cd }) => !peopled.has(department_cd))
    .map(({ department_cd }) => ['', '', '', '', pathOf(department_cd), '', '', '', '']);
  const length = rowsOfPeople.reduce<number>((most, cells) => Math.max(most, cells.length), ownHeader.length);
  const header = [...ownHeader, ...Array.from({ length: length - ownHeader.length }, (_, index) => `兼務${index + 1}`)];
  const table = [header, ...rowsOfPeople, ...rowsOfDepartments].map((cells) => filledTo(length, cells).map(guarded));
  return `\uFEFF${writeCsv(table)}`;
}
