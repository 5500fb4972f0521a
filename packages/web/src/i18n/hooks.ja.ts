import type { HookError, HookFormat } from '@engawa/protocol/hooks';
import { ja as shared } from './sharedHooks.ja.ts';

const errors: Readonly<Record<HookError, string>> = {
  invalid_payload: '届いた内容を読み取れませんでした',
  no_text: '届いた内容に文がありませんでした',
  no_service: 'ボットか、持ち主のアカウントが無効です',
  channel_not_found: '投稿先のストリームに、持ち主が書き込めません',
  channel_is_archived: '投稿先のストリームは閉じられています',
  rate_limited: '投稿が多すぎるため、一部を受け取りませんでした',
  payload_too_large: '届いた内容が大きすぎました',
  invalid_topic: 'トピックの名前が正しくありません',
};

const formats: Readonly<Record<'slack' | HookFormat, string>> = {
  slack: 'Slack 互換',
  redmine: 'Redmine',
  backlog: 'Backlog',
  zabbix: 'Zabbix',
  grafana: 'Grafana',
  alertmanager: 'Prometheus Alertmanager',
  gitlab: 'GitLab',
};

const guides: Readonly<Record<'slack' | HookFormat, string>> = {
  slack: 'Slack の Incoming Webhook に対応したプログラムなら、その設定にこのアドレスを入れるだけで使えます。',
  redmine: 'Redmine 7 の Webhook、またはプラグイン redmine_webhook の送信先に設定します。',
  backlog:
    'プロジェクト設定の「インテグレーション」→「Webhook」に設定します。末尾に &space=https://（スペース）.backlog.jp を足すと、課題へのリンクが付きます。',
  zabbix: 'メディアタイプ「Webhook」から、hostname・severity・status・item・trigger・link を JSON で送ります。',
  grafana: 'Alerting の Contact point で「Webhook」を選び、URL に設定します。',
  alertmanager: 'receiver の webhook_configs の url に設定します。',
  gitlab: 'プロジェクトの「設定」→「Webhook」の URL に設定します。',
};

export const ja = {
  ...shared,
  heading: 'フック',
  advice: '監視や課題管理、CI などのプログラムが、ここで作ったアドレスへ投稿できます。',
  adviceAll: 'メンバーが作った、ほかのプログラムからの投稿を受け取るアドレスです。',
  loading: 'フックを読み込んでいます',
  list: 'フックの一覧',
  none: 'フックはまだありません。',
  create: 'フックを作る',
  renew: 'アドレスを作り直す',
  off: '停止中',
  place: (stream: string, topic: string) => `${stream} ・ ${topic}`,
  used: (time: string) => `最後の投稿：${time}`,
  neverUsed: 'まだ投稿はありません',
  errors,
  createHeading: 'フックを作る',
  editHeading: 'フックの変更',
  name: '名前',
  nameNote: '投稿の送信者として表示されます。',
  stream: '投稿先のストリーム',
  chooseStream: '選んでください',
  streamMissing: '投稿先のストリームを選んでください',
  topic: 'トピック',
  topicNote: '投稿に添えられる短い見出しです。',
  topicMissing: 'トピックを入れてください',
  usualTopic: 'お知らせ',
  creating: '作っています…',
  addressHeading: (name: string) => `${name}のアドレス`,
  once: 'このアドレスは、いまだけ表示されます。知っている人は誰でも投稿できるため、パスワードと同じように扱ってください。',
  format: '送るプログラム',
  formats,
  guides,
  address: 'アドレス',
  example: '試すコマンド',
  exampleText: 'フックの試験です',
  copyAddress: 'アドレスをコピー',
  copyExample: 'コマンドをコピー',
  renewHeading: 'アドレスを作り直す',
  renewQuestion: (name: string) => `${name}の新しいアドレスを作りますか？ いまのアドレスは使えなくなります。`,
  renewing: '作り直しています…',
  deleteHeading: 'フックの削除',
  deleteQuestion: (name: string) => `${name}を削除しますか？ アドレスは使えなくなります。これまでの投稿は残ります。`,
  deleting: '削除しています…',
  deleted: (name: string) => `${name}を削除しました`,
};

export type HooksDictionary = typeof ja;
