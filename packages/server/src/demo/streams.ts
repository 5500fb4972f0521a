import { type DemoDepartment, departments } from './departments.ts';
import { addressOf, people } from './people.ts';

export interface DemoStream {
  name: string;
  description: string;
  members: readonly string[] | 'everyone';
}

const emails = (names: string): readonly string[] => names.split(' ').map(addressOf);

export const streams: readonly DemoStream[] = [
  {
    name: '全社アナウンス',
    description: '会社からのお知らせ。社員全員が読みます。',
    members: people.filter((person) => person.role !== 'guest').map((person) => person.email),
  },
  {
    name: '雑談・縁側',
    description: '仕事の合間にひと息つく場所。話題は自由です。',
    members: 'everyone',
  },
  {
    name: '新卒研修 2026',
    description: '2026 年入社のみなさんと育成担当の連絡用。質問はいつでもどうぞ。',
    members: emails('nakamura hashimoto mori inoue yamazaki tanaka watanabe kimura goto ikeda'),
  },
  {
    name: 'リリース 2.4',
    description: 'Engawa 2.4 を出すまでの進行。部署と会社をまたぐ話はここで。',
    members: emails('takahashi sato tanaka suzuki yamamoto nguyen watanabe yoshida ito kato yamaguchi kondo goto aoki murakami'),
  },
  {
    name: '障害対応',
    description: '障害の一報、切り分け、復旧までの記録。雑談は控えめに。',
    members: emails('watanabe yoshida matsumoto tanaka suzuki watanabe.ryo yamaguchi goto wilson takahashi.koichi saito'),
  },
  {
    name: '大阪支社 移転 2026',
    description: '大阪支社の移転準備。関係者のみ。',
    members: emails('maeda nishimura hayashi ikeda saito.kaito ishii ueda watanabe.ryo'),
  },
];

const everyone = people.map((person) => person.email);

function codes(department: DemoDepartment): readonly string[] {
  return [department.departmentCd, ...(department.children ?? []).flatMap(codes)];
}

function members(department: DemoDepartment): readonly string[] {
  const within = new Set(codes(department));
  return people.filter((person) => person.departments.some((cd) => within.has(cd))).map((person) => person.email);
}

type Entry = readonly [name: string, emails: readonly string[]];

function entries(department: DemoDepartment): readonly Entry[] {
  const below = (department.children ?? []).flatMap(entries);
  return department.stream === false ? below : [[department.displayName, members(department)], ...below];
}

/** Departments in tree order, then the other streams. */
export const subscribers: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...departments.flatMap((company): readonly Entry[] => [
    [company.displayName, everyone],
    ...(company.children ?? []).flatMap(entries),
  ]),
  ...streams.map((stream): Entry => [stream.name, stream.members === 'everyone' ? everyone : stream.members]),
]);
