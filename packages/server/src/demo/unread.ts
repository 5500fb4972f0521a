import { addressOf, defaultMember } from './people.ts';

export interface DemoUnread {
  email: string;
  stream: string;
  count: number;
}

/** The newest messages of a stream that a member has not read; the member wrote none of them. */
export const unread: readonly DemoUnread[] = [
  { email: defaultMember, stream: '全社アナウンス', count: 3 },
  { email: defaultMember, stream: 'デザイン室', count: 12 },
  { email: defaultMember, stream: '開発本部', count: 1 },
  { email: addressOf('ogawa'), stream: 'プロダクト開発部', count: 6 },
  { email: addressOf('yamaguchi'), stream: 'リリース 2.4', count: 2 },
  { email: addressOf('yamazaki'), stream: '東日本営業部', count: 3 },
  { email: addressOf('mori'), stream: '新卒研修 2026', count: 2 },
  { email: addressOf('saito.kaito'), stream: '情報システム部', count: 1 },
  { email: addressOf('maeda'), stream: '全社アナウンス', count: 3 },
  { email: addressOf('goto'), stream: '全社アナウンス', count: 2 },
  { email: addressOf('fujiwara'), stream: '雑談・縁側', count: 2 },
];
