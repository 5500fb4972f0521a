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

export const addressOf = (who: string): string => `${who}@engawa.example`;

export const defaultMember = addressOf('tanaka');
export const owner = addressOf('takahashi.koichi');

type PersonRow = readonly [
  who: string,
  name: string,
  reading: string,
  title: string,
  location: string,
  departments: readonly string[],
  special?: Partial<Pick<DemoPerson, 'role' | 'avatar'>>,
];

const rows: readonly PersonRow[] = [
  // 役員
  ['fujiwara', '藤原 恒一', 'ふじわら こういち', '代表取締役社長', '東京本社', ['0000'], { avatar: 4 }],
  ['ono', '大野 直美', 'おおの なおみ', '取締役 営業本部長', '東京本社', ['2000']],
  ['ishikawa', '石川 徹', 'いしかわ とおる', '執行役員 開発本部長', '東京本社', ['1000']],
  ['ueda', '上田 和子', 'うえだ かずこ', '執行役員 管理本部長', '東京本社', ['3000']],
  // 開発本部
  ['sato', '佐藤 美咲', 'さとう みさき', 'プロダクト開発部長', '東京本社', ['1100'], { role: 'moderator', avatar: 2 }],
  ['tanaka', '田中 翔', 'たなか しょう', 'リードエンジニア', '東京本社', ['1100', '1300'], { avatar: 1 }],
  ['suzuki', '鈴木 健太', 'すずき けんた', 'エンジニア', '在宅（長野県）', ['1100']],
  ['yamamoto', '山本 葵', 'やまもと あおい', 'エンジニア', '東京本社', ['1100'], { avatar: 3 }],
  ['takahashi', '高橋 由美', 'たかはし ゆみ', 'プロダクトマネージャー', '東京本社', ['1100'], { avatar: 6 }],
  ['ogawa', '小川 悠斗', 'おがわ ゆうと', 'エンジニア', '福岡オフィス', ['1100']],
  ['mori', '森 結衣', 'もり ゆい', 'エンジニア（2026 年入社）', '東京本社', ['1100'], { avatar: 8 }],
  ['nguyen', 'グエン ティ ラン', 'ぐえん てぃらん', 'シニアエンジニア', '東京本社', ['1100']],
  ['watanabe.ryo', '渡邊 亮', 'わたなべ りょう', 'エンジニア', '大阪支社', ['1100']],
  ['watanabe', '渡辺 大輔', 'わたなべ だいすけ', '基盤技術部長', '東京本社', ['1200'], { avatar: 7 }],
  ['yoshida', '吉田 拓海', 'よしだ たくみ', 'SRE', '在宅（北海道）', ['1200']],
  ['matsumoto', '松本 千尋', 'まつもと ちひろ', 'データベースエンジニア', '東京本社', ['1200']],
  ['inoue', '井上 蓮', 'いのうえ れん', 'エンジニア（2026 年入社）', '東京本社', ['1200'], { avatar: 4 }],
  ['ito', '伊藤 さくら', 'いとう さくら', 'デザイン室長', '東京本社', ['1300'], { avatar: 8 }],
  ['kato', '加藤 陽菜', 'かとう ひな', 'UI デザイナー', '東京本社', ['1300']],
  ['shimizu', '清水 湊', 'しみず みなと', 'UX リサーチャー', '在宅（神奈川県）', ['1300']],
  ['yamaguchi', '山口 剛', 'やまぐち つよし', '品質保証部長', '東京本社', ['1400']],
  ['kondo', '近藤 彩', 'こんどう あや', 'テストエンジニア', '福岡オフィス', ['1400'], { avatar: 2 }],
  // 営業本部
  ['nakajima', '中島 健', 'なかじま けん', '東日本営業部長', '東京本社', ['2100']],
  ['kimura', '木村 優子', 'きむら ゆうこ', '主任', '東京本社', ['2100'], { avatar: 3 }],
  ['yamazaki', '山崎 隼人', 'やまざき はやと', '営業担当（2026 年入社）', '東京本社', ['2100']],
  ['maeda', '前田 智之', 'まえだ ともゆき', '西日本営業部長', '大阪支社', ['2200']],
  ['nishimura', '西村 奈々', 'にしむら なな', '営業担当', '大阪支社', ['2200']],
  ['goto', '後藤 理恵', 'ごとう りえ', 'カスタマーサクセス部長', '東京本社', ['2300'], { avatar: 6 }],
  ['wilson', 'エマ・ウィルソン', 'うぃるそん えま', 'カスタマーサクセス担当', '東京本社', ['2300']],
  ['sakamoto', '坂本 梨花', 'さかもと りか', 'マーケティング部長', '東京本社', ['2400', '5000']],
  ['kono', '河野 俊', 'こうの しゅん', 'コンテンツ担当', '福岡オフィス', ['2400']],
  // 管理本部
  ['hayashi', '林 正樹', 'はやし まさき', '総務部長', '東京本社', ['3100']],
  ['ikeda', '池田 佳奈', 'いけだ かな', '総務・法務担当', '東京本社', ['3100', '3400'], { avatar: 7 }],
  ['nakamura', '中村 綾香', 'なかむら あやか', '人事部長', '東京本社', ['3200'], { role: 'administrator' }],
  ['hashimoto', '橋本 大地', 'はしもと だいち', '採用・研修担当', '東京本社', ['3200']],
  ['ishii', '石井 文子', 'いしい ふみこ', '経理部長', '東京本社', ['3300']],
  ['miura', '三浦 慎', 'みうら しん', '法務部長', '東京本社', ['3400']],
  ['takahashi.koichi', '髙橋 浩一', 'たかはし こういち', '情報システム部長', '東京本社', ['3500'], { role: 'owner' }],
  ['saito', '齋藤 恵', 'さいとう めぐみ', 'システム管理者', '東京本社', ['3500'], { role: 'administrator', avatar: 1 }],
  ['saito.kaito', '斉藤 海斗', 'さいとう かいと', 'ヘルプデスク', '大阪支社', ['3500']],
  // 社長直轄
  ['kobayashi', '小林 誠', 'こばやし まこと', '経営企画室長', '東京本社', ['4000', '3300']],
  ['hara', '原 由紀', 'はら ゆき', '事業計画担当', '東京本社', ['4000']],
  ['aoki', '青木 楓', 'あおき かえで', '広報担当', '在宅（千葉県）', ['5000']],
  ['fukuda', '福田 稔', 'ふくだ みのる', '内部監査室長', '東京本社', ['9000']],
  // 社外の協力会社
  ['murakami', '村上 拓', 'むらかみ たく', 'みなもデザイン株式会社 アートディレクター', '社外（京都市）', [], { role: 'guest' }],
];

export const people: readonly DemoPerson[] = rows.map(([who, name, reading, title, location, departments, special]) => ({
  email: addressOf(who),
  name,
  reading,
  title,
  location,
  departments,
  role: 'member',
  ...special,
}));
