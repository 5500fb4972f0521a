import { defaultMember } from './people.ts';

export interface DemoUnread {
  email: string;
  stream: string;
  count: number;
}

/** The number of a stream's newest messages that a member has not read; the member wrote none of them. */
export const unread: readonly DemoUnread[] = [
  { email: defaultMember, stream: '全社アナウンス', count: 3 },
  { email: defaultMember, stream: 'デザイン室', count: 12 },
  { email: defaultMember, stream: '開発本部', count: 1 },
  { email: 'ogawa@engawa.example', stream: 'プロダクト開発部', count: 6 },
  { email: 'yamaguchi@engawa.example', stream: 'リリース 2.4', count: 2 },
  { email: 'yamazaki@engawa.example', stream: '東日本営業部', count: 3 },
  { email: 'mori@engawa.example', stream: '新卒研修 2026', count: 2 },
  { email: 'saito.kaito@engawa.example', stream: '情報システム部', count: 1 },
  { email: 'maeda@engawa.example', stream: '全社アナウンス', count: 3 },
  { email: 'goto@engawa.example', stream: '全社アナウンス', count: 2 },
  { email: 'fujiwara@engawa.example', stream: '雑談・縁側', count: 2 },
];
