export interface DemoUnread {
  email: string;
  stream: string;
  count: number;
}

export const unread: readonly DemoUnread[] = [
  { email: 'tanaka@engawa.example', stream: '全社アナウンス', count: 3 },
  { email: 'tanaka@engawa.example', stream: 'デザイン室', count: 12 },
  { email: 'tanaka@engawa.example', stream: '開発本部', count: 1 },
  { email: 'ishikawa@engawa.example', stream: 'リリース 2.4', count: 0 },
];
