import { japaneseNumber as number } from './numbers.ts';

export const ja = {
  inStream: (sender: string, stream: string) => `${sender}（${stream}）`,
  many: (count: number) => `新着メッセージ ${number.format(count)} 件`,
  offAdvice: 'メンションやダイレクトメッセージが届いたことを、ほかの作業をしているときもお知らせします。',
  onAdvice: 'この端末にお知らせします。今読んでいるストリームと、ミュートしたストリームは除きます。',
  denied:
    'このブラウザーで通知がブロックされています。アドレスバーの左の印を押し、「通知」を「許可」にしてから、もう一度お試しください。',
  asking:
    'ブラウザーの確認で「許可」を選んでください。確認が出ないときは、アドレスバーの左の印を押し、「通知」を「許可」にしてください。',
  notAllowed:
    '許可されなかったため、通知はオフのままです。もう一度スイッチを押して「許可」を選ぶか、アドレスバーの左の印を押し、「通知」を「許可」にしてください。',
  unsupported: 'このブラウザーでは通知を使えません。パソコンの Chrome・Edge・Firefox・Safari で開いてください。',
  test: 'テスト通知を送る',
  sampleTitle: '縁側からのテスト通知',
  sampleBody: '通知はこのように表示されます。',
  sampleSent: 'テスト通知を送りました。表示されないときは、端末の通知の設定も確かめてください。',
  sound: '通知音',
  whichSound: '音の種類',
  sounds: { chime: 'チャイム', ding: 'ベル' },
  listen: '聞いてみる',
};

export type NotificationsDictionary = typeof ja;
