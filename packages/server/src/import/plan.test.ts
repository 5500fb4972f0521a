import { atOnce } from '@engawa/chat-server/parts';
import { maxImportFaults } from '@engawa/protocol/administration';
import { describe, expect, it } from 'vitest';
import { type ImportPlan, hiraganaOf, planOf } from './plan.ts';
import type { ImportMember, ImportState } from './state.ts';
import { tableOf } from './table.ts';

const department = (department_cd: string, display_name: string, parent: string | null = null) => ({
  department_cd,
  display_name,
  parent,
  position: 0,
  stream_id: null,
});
const person = (userId: number, email: string, more: Partial<ImportMember> = {}): ImportMember => ({
  userId,
  email,
  fullName: '髙橋 浩一',
  role: 400,
  isActive: true,
  employeeNumber: '',
  reading: '',
  title: '',
  departments: [],
  ...more,
});
function* noneTaken() {
  yield;
  return [];
}
const nobody: ImportState = { departments: [], members: [] };

function plan(csv: string, state: ImportState = nobody, mayChangeOwners = true): ImportPlan {
  let made = 0;
  const newDepartmentCode = () => `new${(made += 1)}`;
  return atOnce(
    planOf(atOnce(tableOf(csv)), { state, mayChangeOwners, managesPeople: true, takenNames: noneTaken, newDepartmentCode }),
  );
}
const membersOf = (csv: string, state?: ImportState) => plan(csv, state).plan?.members;
const faultsOf = (csv: string, state?: ImportState, mayChangeOwners?: boolean) =>
  plan(csv, state, mayChangeOwners).faults.map(({ row, column, fault }) => [row, column, fault]);

describe('columns of an import', () => {
  it('[I7.3] An import recognises columns by Japanese names in any order', () => {
    const csv =
      '権限,役職,兼務,部署,メールアドレス,フリガナ,氏名,社員番号,状態\n管理者,部長,総務部,営業部,a@x.jp,タカハシ　コウイチ,髙橋　浩一,0012,在籍\n';
    expect(membersOf(csv)).toEqual([
      {
        userId: undefined,
        email: 'a@x.jp',
        fullName: '髙橋 浩一',
        reading: 'たかはし こういち',
        title: '部長',
        role: 200,
        isActive: true,
        employeeNumber: '0012',
        departments: ['new1', 'new2'],
      },
    ]);
  });

  it('[I7.3] An import recognises columns by English names, also separate columns for family and given name', () => {
    const csv =
      'Last Name,First name,E-mail,Employee ID,Department,Role,Status\nTakahashi,Koichi,a@x.jp,0012,Sales > East,Guest,Inactive\n';
    expect(membersOf(csv)).toMatchObject([
      {
        email: 'a@x.jp',
        fullName: 'Takahashi Koichi',
        role: 600,
        isActive: false,
        employeeNumber: '0012',
        departments: ['new2'],
      },
    ]);
  });

  it('[I7.3] An import reports unknown columns and ignores them', () => {
    expect(plan('氏名,内線,メール,生年月日\n髙橋 浩一,1234,a@x.jp,1980-01-01\n')).toMatchObject({
      ignored: ['内線', '生年月日'],
      faults: [],
      plan: { members: [{ email: 'a@x.jp' }] },
    });
  });

  it('[I7.3] An import reports two columns with the same meaning, and a file without a column that identifies people', () => {
    expect(faultsOf('氏名,メール,名前\n')).toEqual([[null, '名前', 'column-twice']]);
    expect(faultsOf('部署,部署1,部署2\n')).toEqual([[null, '部署1', 'column-twice']]);
    expect(faultsOf('氏名,部署\n髙橋 浩一,営業部')).toEqual([[null, null, 'column-missing']]);
    expect(faultsOf('内線\n1234')).toEqual([[null, null, 'column-missing']]);
  });

  it('[I7.3] An import does not change a field whose column is missing in the file', () => {
    const state = { departments: [department('1', '営業部')], members: [person(7, 'a@x.jp', { departments: ['1'] })] };
    expect(membersOf('メール,役職\nA@X.jp,課長', state)).toEqual([
      expect.objectContaining({
        userId: 7,
        title: '課長',
        fullName: undefined,
        reading: undefined,
        role: undefined,
        departments: undefined,
      }),
    ]);
  });
});

describe('departments of an import', () => {
  const state: ImportState = {
    departments: [
      department('0', '縁側'),
      department('1', '営業本部', '0'),
      department('2', '第１課', '1'),
      department('3', '総務部', '0'),
    ],
    members: [],
  };

  it('[I7.3] An import creates each missing department once, with the missing departments above it', () => {
    const csv = '部署\n縁側/営業本部/第1課\n縁側／営業本部／第二課／係\n縁側＞営業本部 > 第二課\n新会社/総務部\n';
    expect(plan(csv, state).plan).toEqual({
      departments: [
        { code: 'new1', displayName: '第二課', parent: '1' },
        { code: 'new2', displayName: '係', parent: 'new1' },
        { code: 'new3', displayName: '新会社', parent: null },
        { code: 'new4', displayName: '総務部', parent: 'new3' },
      ],
      members: [],
    });
  });

  it('[I7.3] An import accepts a file with one column for each level of departments', () => {
    const csv = '部署2,部署1,メール,氏名\n営業本部,縁側,a@x.jp,田中 翔\n,縁側,b@x.jp,佐藤 翔\n';
    expect(membersOf(csv, state)).toMatchObject([{ departments: ['1'] }, { departments: ['0'] }]);
    expect(faultsOf('部署1,部署2,部署3\n縁側,,課', state)).toEqual([[0, '部署1', 'department-malformed']]);
  });

  it('[I7.3] An import accepts a department without the departments above it if only one department has that name', () => {
    expect(plan('部署\n総務部\n営業本部/第1課\n第1課/係\n', state).plan?.departments).toEqual([
      { code: 'new1', displayName: '係', parent: '2' },
    ]);
    const two = { ...state, departments: [...state.departments, department('4', '総務部', '1')] };
    expect(faultsOf('部署\n総務部\n縁側/総務部\n', two)).toEqual([[0, '部署', 'department-ambiguous']]);
  });

  it('[I7.3] An import reports a department name that becomes ambiguous by the import itself, so that the file can be imported again', () => {
    expect(faultsOf('部署\n総務部\n新会社/総務部\n', state)).toEqual([[0, '部署', 'department-ambiguous']]);
  });

  it('[I7.3] When an import creates two departments of the same name, every row must give the path; a leading slash means a root', () => {
    const [bare, two] = ['総務部', '本社/総務部\n大阪支社/総務部'];
    expect(faultsOf(`部署\n${bare}\n${two}\n`)).toEqual([[0, '部署', 'department-ambiguous']]);
    expect(faultsOf(`部署\n${two}\n${bare}\n`)).toEqual([[2, '部署', 'department-ambiguous']]);
    expect(faultsOf(`部署\n新会社/総務部\n${bare}\n`)).toEqual([[1, '部署', 'department-ambiguous']]);
    expect(plan(`部署\n${two}\n/総務部\n／総務部／人事課`).plan?.departments).toEqual([
      expect.objectContaining({ displayName: '本社', parent: null }),
      expect.objectContaining({ displayName: '総務部', parent: 'new1' }),
      expect.objectContaining({ displayName: '大阪支社', parent: null }),
      expect.objectContaining({ displayName: '総務部', parent: 'new3' }),
      { code: 'new5', displayName: '総務部', parent: null },
      { code: 'new6', displayName: '人事課', parent: 'new5' },
    ]);
    expect(plan('部署1,部署2\n総務部,\n新会社,総務部').faults).toEqual([]);
    // A bare name means the existing root.
    const top = { ...state, departments: [...state.departments, department('5', '人事部')] };
    expect(plan('部署\n人事部\n新会社/人事部\n', top).plan?.departments).toHaveLength(2);
  });

  it('[I7.3] An import changes the main department, the further ones or both, depending on the columns in the file', () => {
    const members = [person(7, 'a@x.jp', { departments: ['2', '3'] })];
    const posts = (csv: string) => membersOf(csv, { ...state, members })?.[0]?.departments;
    expect(posts('メール,部署\na@x.jp,営業本部')).toEqual(['1', '3']);
    expect(posts('メール,兼務\na@x.jp,営業本部、縁側')).toEqual(['2', '1', '0']);
    expect(posts('メール,部署,兼務\na@x.jp,総務部,総務部;営業本部')).toEqual(['3', '1']);
    expect(posts('メール,部署,兼務\na@x.jp,,')).toEqual([]);
    expect(posts('メール,役職\na@x.jp,')).toBeUndefined();
  });

  it('[I7.3] An import reports a department whose name is empty, invisible or too long, or that has too many levels', () => {
    expect(faultsOf(`部署\n営業//課\n営\u200B業\n${'長'.repeat(61)}\n${Array(11).fill('層').join('/')}`)).toEqual([
      [0, '部署', 'department-malformed'],
      [1, '部署', 'department-malformed'],
      [2, '部署', 'text-too-long'],
      [3, '部署', 'department-too-deep'],
    ]);
  });
});

describe('people of an import', () => {
  it('[I7.3] An import finds people by employee number first and by email second, so that it can change an email', () => {
    const state = { departments: [], members: [person(7, 'old@x.jp', { employeeNumber: '0012' }), person(8, 'b@x.jp')] };
    expect(
      membersOf('社員番号,氏名,メール\n0012,髙橋 浩一,new@x.jp\n0013,佐藤 翔,B@x.jp\n12,田中 翔,c@x.jp', state),
    ).toMatchObject([
      { userId: 7, email: 'new@x.jp', employeeNumber: '0012' },
      { userId: 8, email: 'b@x.jp', employeeNumber: '0013' },
      { userId: undefined, email: 'c@x.jp', employeeNumber: '12' },
    ]);
  });

  it('[I7.3] An import reports a row that gives a person the email of another member', () => {
    const members = [person(7, 'a@x.jp', { employeeNumber: '1' }), person(8, 'b@x.jp', { employeeNumber: '2' })];
    const state = { departments: [], members };
    expect(faultsOf('社員番号,メール\n1,b@x.jp', state)).toEqual([[0, 'メール', 'email-in-use']]);
    expect(faultsOf('社員番号,メール\n1,\n,a@x.jp', state)).toEqual([[1, 'メール', 'email-twice']]);
  });

  it('[I7.3] An import stores an email with its letter case', () => {
    const state = { departments: [], members: [person(7, 'Tanaka@x.jp')] };
    expect(membersOf('メール\ntanaka@X.jp', state)).toMatchObject([{ userId: 7, email: 'Tanaka@x.jp' }]);
  });

  it('[I7.3] An import accepts an email in full-width characters', () => {
    expect(membersOf('氏名,メール\n田中 翔,ｔａｎａｋａ＠x.jp')).toMatchObject([{ email: 'tanaka@x.jp' }]);
  });

  it("[I7.3] An import reports each fault in a person's row by row and column", () => {
    const long = '長'.repeat(101);
    const csv =
      `社員番号,氏名,メール,権限,状態,役職\n1,,a@x.jp,,,\n2,田中 翔,,,,\n3,田中 翔,tanaka,,,\n4,田中 翔,b@x.jp,,,\n5,佐藤 翔,B@X.jp,,,\n` +
      `6,林,c@x.jp,,,\n7,@田中,d@x.jp,,,\n8,田中 翔,e@x.jp,部長,,\n9,田中 翔,f@x.jp,,休職,\n1,田中 翔,g@x.jp,,,\n` +
      `11,${long},h@x.jp,,,${long}\n12,田\uFFFD,i@x.jp,,,\n13,\uE000田,j@x.jp,,,\n14,田中 翔,k@x.jp,,,,余り`;
    expect(faultsOf(csv)).toEqual([
      [0, '氏名', 'name-missing'],
      [1, 'メール', 'email-missing'],
      [2, 'メール', 'email-malformed'],
      [4, 'メール', 'email-twice'],
      [5, '氏名', 'name-malformed'],
      [6, '氏名', 'name-malformed'],
      [7, '権限', 'role-unknown'],
      [8, '状態', 'state-unknown'],
      [9, '社員番号', 'number-twice'],
      [10, '氏名', 'text-too-long'],
      [10, '役職', 'text-too-long'],
      [11, '氏名', 'text-unreadable'],
      [12, '氏名', 'text-unreadable'],
      [13, null, 'cells-too-many'],
    ]);
    expect(plan(csv).plan).toBeUndefined();
  });

  it('[I7.3] An import compares employee numbers as they are stored, with single spaces, and reports half a character', () => {
    expect(faultsOf('社員番号,氏名,メール\nＡ 1,田中 翔,a@x.jp\nA\t1,佐藤 翔,b@x.jp\n\uD800,鈴木 翔,c@x.jp')).toEqual([
      [1, '社員番号', 'number-twice'],
      [2, '社員番号', 'text-unreadable'],
    ]);
  });

  it('[I7.3] An import reports an oversized cell of any column once, and with a shortened text', () => {
    const book = 'あ'.repeat(100_000);
    const columns = ['社員番号', '氏名', 'メール', 'ふりがな', '部署', '兼務', '役職', '権限', '状態'];
    for (const [index, column] of columns.entries()) {
      const cells = ['1', '田中 翔', 'a@x.jp', ...Array<string>(6).fill('')].with(index, book);
      const { faults } = plan(`${columns.join(',')}\n${cells.join(',')}`);
      expect(faults).toEqual([{ row: 0, column, fault: 'text-too-long', value: book.slice(0, 200) }]);
    }
    expect(faultsOf(`部署1,部署2\n縁側,${book}`)).toEqual([
      [0, '部署2', 'text-too-long'],
      [0, '部署1', 'text-too-long'],
    ]);
    // Ignored columns may have any length.
    expect(faultsOf(`氏名,メール,備考\n田中 翔,a@x.jp,${book}`)).toEqual([]);
  });

  it('[I7.3] An import is refused if it would remove the last owner, or if an administrator changes an owner', () => {
    const state = { departments: [], members: [person(1, 'o@x.jp', { role: 100 }), person(2, 'm@x.jp')] };
    expect(faultsOf('メール,権限\no@x.jp,メンバー', state)).toEqual([[0, '権限', 'last-owner']]);
    expect(faultsOf('メール,状態\no@x.jp,退職', state)).toEqual([[0, '状態', 'last-owner']]);
    expect(faultsOf('メール,権限\no@x.jp,メンバー\nm@x.jp,オーナー', state)).toEqual([]);
    expect(faultsOf('メール,権限\nm@x.jp,オーナー', state, false)).toEqual([[0, '権限', 'owners-only']]);
    expect(faultsOf('メール,権限\no@x.jp,オーナー\nm@x.jp,', state, false)).toEqual([]);
    const numbered = { departments: [], members: [person(1, 'o@x.jp', { role: 100, employeeNumber: '1' })] };
    expect(faultsOf('社員番号,メール\n1,mine@x.jp', numbered, false)).toEqual([[0, 'メール', 'owners-only']]);
  });

  it('[I7.3] An import reports only the first faults of a file with very many, and the number of all', () => {
    const { faults, faultCount } = plan(`氏名,メール\n${'田中 翔,\n'.repeat(maxImportFaults + 500)}`);
    expect([faults.length, faultCount]).toEqual([maxImportFaults, maxImportFaults + 500]);
  });
});

describe('reading', () => {
  it.each([
    ['フジワラ　コウイチ', 'ふじわら こういち'],
    ['ﾌｼﾞﾜﾗ ｺｳｲﾁ', 'ふじわら こういち'],
    ['ヴァレリー・ヶ', 'ゔぁれりー・ゖ'],
    ['John', 'John'],
  ])('[J3.3] An import stores the reading %s as %s', (written, kept) => {
    expect(hiraganaOf(written)).toBe(kept);
  });
});
