export interface DemoPerson {
  email: string;
  name: string;
  reading: string;
  title: string;
  location: string;
  departments: readonly string[];
  role: 'owner' | 'administrator' | 'moderator' | 'member' | 'guest';
  avatar?: 1 | 2 | 3 | 4 | 6 | 7 | 8;
}

export const defaultMember = 'tanaka@engawa.example';
export const owner = 'takahashi.koichi@engawa.example';

export const people: readonly DemoPerson[] = [
  // 役員
  {
    email: 'fujiwara@engawa.example', name: '藤原 恒一', reading: 'ふじわら こういち',
    title: '代表取締役社長', location: '東京本社', departments: ['0000'], role: 'member', avatar: 4,
  },
  {
    email: 'ono@engawa.example', name: '大野 直美', reading: 'おおの なおみ',
    title: '取締役 営業本部長', location: '東京本社', departments: ['2000'], role: 'member',
  },
  {
    email: 'ishikawa@engawa.example', name: '石川 徹', reading: 'いしかわ とおる',
    title: '執行役員 開発本部長', location: '東京本社', departments: ['1000'], role: 'member',
  },
  {
    email: 'ueda@engawa.example', name: '上田 和子', reading: 'うえだ かずこ',
    title: '執行役員 管理本部長', location: '東京本社', departments: ['3000'], role: 'member',
  },
  // 開発本部
  {
    email: 'sato@engawa.example', name: '佐藤 美咲', reading: 'さとう みさき',
    title: 'プロダクト開発部長', location: '東京本社', departments: ['1100'], role: 'moderator', avatar: 2,
  },
  {
    email: 'tanaka@engawa.example', name: '田中 翔', reading: 'たなか しょう',
    title: 'リードエンジニア', location: '東京本社', departments: ['1100', '1300'], role: 'member', avatar: 1,
  },
  {
    email: 'suzuki@engawa.example', name: '鈴木 健太', reading: 'すずき けんた',
    title: 'エンジニア', location: '在宅（長野県）', departments: ['1100'], role: 'member',
  },
  {
    email: 'yamamoto@engawa.example', name: '山本 葵', reading: 'やまもと あおい',
    title: 'エンジニア', location: '東京本社', departments: ['1100'], role: 'member', avatar: 3,
  },
  {
    email: 'takahashi@engawa.example', name: '高橋 由美', reading: 'たかはし ゆみ',
    title: 'プロダクトマネージャー', location: '東京本社', departments: ['1100'], role: 'member', avatar: 6,
  },
  {
    email: 'ogawa@engawa.example', name: '小川 悠斗', reading: 'おがわ ゆうと',
    title: 'エンジニア', location: '福岡オフィス', departments: ['1100'], role: 'member',
  },
  {
    email: 'mori@engawa.example', name: '森 結衣', reading: 'もり ゆい',
    title: 'エンジニア（2026 年入社）', location: '東京本社', departments: ['1100'], role: 'member', avatar: 8,
  },
  {
    email: 'nguyen@engawa.example', name: 'グエン ティ ラン', reading: 'ぐえん てぃらん',
    title: 'シニアエンジニア', location: '東京本社', departments: ['1100'], role: 'member',
  },
  {
    email: 'watanabe.ryo@engawa.example', name: '渡邊 亮', reading: 'わたなべ りょう',
    title: 'エンジニア', location: '大阪支社', departments: ['1100'], role: 'member',
  },
  {
    email: 'watanabe@engawa.example', name: '渡辺 大輔', reading: 'わたなべ だいすけ',
    title: '基盤技術部長', location: '東京本社', departments: ['1200'], role: 'member', avatar: 7,
  },
  {
    email: 'yoshida@engawa.example', name: '吉田 拓海', reading: 'よしだ たくみ',
    title: 'SRE', location: '在宅（北海道）', departments: ['1200'], role: 'member',
  },
  {
    email: 'matsumoto@engawa.example', name: '松本 千尋', reading: 'まつもと ちひろ',
    title: 'データベースエンジニア', location: '東京本社', departments: ['1200'], role: 'member',
  },
  {
    email: 'inoue@engawa.example', name: '井上 蓮', reading: 'いのうえ れん',
    title: 'エンジニア（2026 年入社）', location: '東京本社', departments: ['1200'], role: 'member', avatar: 4,
  },
  {
    email: 'ito@engawa.example', name: '伊藤 さくら', reading: 'いとう さくら',
    title: 'デザイン室長', location: '東京本社', departments: ['1300'], role: 'member', avatar: 8,
  },
  {
    email: 'kato@engawa.example', name: '加藤 陽菜', reading: 'かとう ひな',
    title: 'UI デザイナー', location: '東京本社', departments: ['1300'], role: 'member',
  },
  {
    email: 'shimizu@engawa.example', name: '清水 湊', reading: 'しみず みなと',
    title: 'UX リサーチャー', location: '在宅（神奈川県）', departments: ['1300'], role: 'member',
  },
  {
    email: 'yamaguchi@engawa.example', name: '山口 剛', reading: 'やまぐち つよし',
    title: '品質保証部長', location: '東京本社', departments: ['1400'], role: 'member',
  },
  {
    email: 'kondo@engawa.example', name: '近藤 彩', reading: 'こんどう あや',
    title: 'テストエンジニア', location: '福岡オフィス', departments: ['1400'], role: 'member', avatar: 2,
  },
  // 営業本部
  {
    email: 'nakajima@engawa.example', name: '中島 健', reading: 'なかじま けん',
    title: '東日本営業部長', location: '東京本社', departments: ['2100'], role: 'member',
  },
  {
    email: 'kimura@engawa.example', name: '木村 優子', reading: 'きむら ゆうこ',
    title: '主任', location: '東京本社', departments: ['2100'], role: 'member', avatar: 3,
  },
  {
    email: 'yamazaki@engawa.example', name: '山崎 隼人', reading: 'やまざき はやと',
    title: '営業担当（2026 年入社）', location: '東京本社', departments: ['2100'], role: 'member',
  },
  {
    email: 'maeda@engawa.example', name: '前田 智之', reading: 'まえだ ともゆき',
    title: '西日本営業部長', location: '大阪支社', departments: ['2200'], role: 'member',
  },
  {
    email: 'nishimura@engawa.example', name: '西村 奈々', reading: 'にしむら なな',
    title: '営業担当', location: '大阪支社', departments: ['2200'], role: 'member',
  },
  {
    email: 'goto@engawa.example', name: '後藤 理恵', reading: 'ごとう りえ',
    title: 'カスタマーサクセス部長', location: '東京本社', departments: ['2300'], role: 'member', avatar: 6,
  },
  {
    email: 'wilson@engawa.example', name: 'エマ・ウィルソン', reading: 'うぃるそん えま',
    title: 'カスタマーサクセス担当', location: '東京本社', departments: ['2300'], role: 'member',
  },
  {
    email: 'sakamoto@engawa.example', name: '坂本 梨花', reading: 'さかもと りか',
    title: 'マーケティング部長', location: '東京本社', departments: ['2400', '5000'], role: 'member',
  },
  {
    email: 'kono@engawa.example', name: '河野 俊', reading: 'こうの しゅん',
    title: 'コンテンツ担当', location: '福岡オフィス', departments: ['2400'], role: 'member',
  },
  // 管理本部
  {
    email: 'hayashi@engawa.example', name: '林 正樹', reading: 'はやし まさき',
    title: '総務部長', location: '東京本社', departments: ['3100'], role: 'member',
  },
  {
    email: 'ikeda@engawa.example', name: '池田 佳奈', reading: 'いけだ かな',
    title: '総務・法務担当', location: '東京本社', departments: ['3100', '3400'], role: 'member', avatar: 7,
  },
  {
    email: 'nakamura@engawa.example', name: '中村 綾香', reading: 'なかむら あやか',
    title: '人事部長', location: '東京本社', departments: ['3200'], role: 'administrator',
  },
  {
    email: 'hashimoto@engawa.example', name: '橋本 大地', reading: 'はしもと だいち',
    title: '採用・研修担当', location: '東京本社', departments: ['3200'], role: 'member',
  },
  {
    email: 'ishii@engawa.example', name: '石井 文子', reading: 'いしい ふみこ',
    title: '経理部長', location: '東京本社', departments: ['3300'], role: 'member',
  },
  {
    email: 'miura@engawa.example', name: '三浦 慎', reading: 'みうら しん',
    title: '法務部長', location: '東京本社', departments: ['3400'], role: 'member',
  },
  {
    email: 'takahashi.koichi@engawa.example', name: '髙橋 浩一', reading: 'たかはし こういち',
    title: '情報システム部長', location: '東京本社', departments: ['3500'], role: 'owner',
  },
  {
    email: 'saito@engawa.example', name: '齋藤 恵', reading: 'さいとう めぐみ',
    title: 'システム管理者', location: '東京本社', departments: ['3500'], role: 'administrator', avatar: 1,
  },
  {
    email: 'saito.kaito@engawa.example', name: '斉藤 海斗', reading: 'さいとう かいと',
    title: 'ヘルプデスク', location: '大阪支社', departments: ['3500'], role: 'member',
  },
  // 社長直轄
  {
    email: 'kobayashi@engawa.example', name: '小林 誠', reading: 'こばやし まこと',
    title: '経営企画室長', location: '東京本社', departments: ['4000', '3300'], role: 'member',
  },
  {
    email: 'hara@engawa.example', name: '原 由紀', reading: 'はら ゆき',
    title: '事業計画担当', location: '東京本社', departments: ['4000'], role: 'member',
  },
  {
    email: 'aoki@engawa.example', name: '青木 楓', reading: 'あおき かえで',
    title: '広報担当', location: '在宅（千葉県）', departments: ['5000'], role: 'member',
  },
  {
    email: 'fukuda@engawa.example', name: '福田 稔', reading: 'ふくだ みのる',
    title: '内部監査室長', location: '東京本社', departments: ['9000'], role: 'member',
  },
  // 社外の協力会社
  {
    email: 'murakami@engawa.example', name: '村上 拓', reading: 'むらかみ たく',
    title: 'みなもデザイン株式会社 アートディレクター', location: '社外（京都市）', departments: [], role: 'guest',
  },
];
