const named = {
  number: ['社員番号', '従業員番号', '職員番号', '社員コード', '社員id', 'employee number', 'employee id', 'employee no'],
  name: ['氏名', '名前', '姓名', '表示名', 'full name', 'name', 'display name'],
  familyName: ['姓', '苗字', '名字', 'family name', 'last name', 'surname'],
  givenName: ['名', 'given name', 'first name'],
  reading: ['ふりがな', 'フリガナ', 'よみ', 'よみがな', '読み', '読み仮名', '氏名カナ', '氏名かな', 'reading', 'kana'],
  familyReading: ['せい', 'セイ', '姓カナ', '姓よみ', '姓ふりがな', 'family name reading', 'last name reading'],
  givenReading: ['めい', 'メイ', '名カナ', '名よみ', '名ふりがな', 'given name reading', 'first name reading'],
  email: ['メールアドレス', 'メール', 'email', 'e-mail', 'mail', 'email address', 'mail address'],
  department: ['部署', '部署名', '所属', '所属部署', '主務', '主所属', 'department'],
  posts: ['兼務', '兼務部署', '兼任', '兼務先', 'concurrent posts', 'other departments', 'concurrent departments'],
  title: ['役職', '肩書', '肩書き', 'title', 'job title', 'position'],
  role: ['権限', 'ロール', 'role'],
  state: ['状態', '在籍', '在籍状況', '在籍状態', 'state', 'status'],
} as const;
export type Column = keyof typeof named;
const columns = Object.keys(named).filter((name): name is Column => name in named);

/** 部署1 … 部署10: one column per level of the main department's path. */
const level = /^(?:部署|所属|department)(\d{1,2})$/;

/** 兼務1 … 兼務20: one further department each, whatever separators its name contains. */
const furtherPost = /^(?:兼務|concurrentpost)(\d{1,2})$/;

const comparable = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_\-・()]/g, '');

const columnByName = new Map(columns.flatMap((column) => named[column].map((name) => [comparable(name), column] as const)));

export interface Columns {
  readonly at: ReadonlyMap<Column, number>;
  /** Columns with the levels of the main department, the highest first. */
  readonly levels: readonly number[];
  readonly posts: readonly number[];
  readonly ignored: readonly string[];
  readonly twice: readonly string[];
}

export function columnsOf(header: readonly string[]): Columns {
  const at = new Map<Column, number>();
  const levels = new Map<number, number>();
  const posts = new Map<number, number>();
  const ignored: string[] = [];
  const twice: string[] = [];
  for (const [index, name] of header.entries()) {
    const key = comparable(name);
    const column = columnByName.get(key);
    const [, height] = level.exec(key) ?? [];
    const [, post] = furtherPost.exec(key) ?? [];
    if (height !== undefined) place(levels, Number(height), index, name, twice);
    else if (post !== undefined) place(posts, Number(post), index, name, twice);
    else if (column) place(at, column, index, name, twice);
    else if (name !== '') ignored.push(name);
  }
  return { at, levels: inOrder(levels), posts: inOrder(posts), ignored, twice };
}

const inOrder = (places: ReadonlyMap<number, number>): number[] =>
  [...places].toSorted(([one], [other]) => one - other).map(([, index]) => index);

function place<Key>(places: Map<Key, number>, key: Key, index: number, name: string, twice: string[]): void {
  if (places.has(key)) twice.push(name);
  else places.set(key, index);
}

const roleNames = {
  100: ['オーナー', '所有者', 'owner'],
  200: ['管理者', 'admin', 'administrator'],
  300: ['モデレーター', 'moderator'],
  400: ['メンバー', '一般', 'member'],
  600: ['ゲスト', 'guest'],
} as const;
export type RoleNumber = 100 | 200 | 300 | 400 | 600;
const roleNumbers = [100, 200, 300, 400, 600] as const satisfies readonly RoleNumber[];

export function roleOf(cell: string): RoleNumber | undefined {
  const key = comparable(cell);
  return roleNumbers.find((number) => roleNames[number].some((name) => comparable(name) === key));
}

const activeWords = ['在籍', '在籍中', '在職', '有効', 'active'];
const inactiveWords = ['退職', '退職済み', '退職済', '退社', '無効', 'inactive', 'deactivated'];

export function isActiveIn(cell: string): boolean | undefined {
  const key = comparable(cell);
  if (activeWords.includes(key)) return true;
  return inactiveWords.includes(key) ? false : undefined;
}

export const postSeparator = /[;；、\r\n]/;

export const ownHeader = ['社員番号', '氏名', 'ふりがな', 'メールアドレス', '部署', '兼務', '役職', '権限', '状態'] as const;
export const ownRole = (number: RoleNumber): string => roleNames[number][0];
export const ownState = (active: boolean): string => (active ? '在籍' : '退職');
