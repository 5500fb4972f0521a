export interface DemoDirect {
  between: readonly string[];
  said: readonly (readonly [minutesAgo: number, who: string, text: string])[];
  /** The number of newest messages that each member has not read; the member wrote none of them. */
  unread?: Readonly<Record<string, number>>;
}

export const directs: readonly DemoDirect[] = [
  {
    between: ['tanaka', 'suzuki'],
    said: [
      [1570, 'suzuki', 'すみません、計測の手順書、一度見てもらえませんか。人に渡せる書き方になっているか不安で…'],
      [1552, 'tanaka', '読みました。手順 3 の前提だけ 1 行足せば、そのまま渡せると思います。'],
      [1549, 'suzuki', '助かります。足しておきますね。'],
      [64, 'tanaka', '計測の件、このあとの定例で 5 分ほど話してもらえますか？'],
      [61, 'suzuki', 'はい、グラフを用意しておきます📈'],
    ],
  },
  {
    between: ['tanaka', 'sato', 'takahashi'],
    said: [
      [232, 'sato', 'リリース後の振り返り、来週のどこかで 1 時間もらえますか。まずは 3 人で。'],
      [225, 'takahashi', '水曜の午後なら空いています。'],
      [219, 'tanaka', '私も水曜で大丈夫です。論点は前日までに書き出しておきます。'],
      [215, 'sato', 'では水曜の 15 時で。会議室は押さえておきます。'],
    ],
  },
  {
    between: ['tanaka', 'mori'],
    said: [
      [412, 'mori', 'レビューのお礼を言いそびれていました。境界値の考え方、とても勉強になりました。'],
      [398, 'tanaka', 'いえいえ。次の PR も楽しみにしています。'],
      [12, 'mori', 'いま 10 分ほどお時間ありますか？テストの書き方で迷っています。'],
    ],
    unread: { tanaka: 1 },
  },
  {
    between: ['sato', 'yamamoto'],
    said: [
      [88, 'yamamoto', '午後、少し早めに上がってもよいでしょうか。'],
      [85, 'sato', 'もちろんです。引き継ぎだけ書いておいてください。'],
    ],
  },
];
