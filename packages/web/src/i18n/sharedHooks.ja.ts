/** The words of hooks in both directions. */
export const ja = {
  edit: '変更',
  delete: '削除',
  hiddenStream: '参加していないストリーム',
  by: (name: string) => `持ち主：${name}`,
  error: (text: string, time: string) => `${text}（${time}）`,
  nameMissing: '2 文字以上の名前を入れてください',
  cancel: 'キャンセル',
  close: '閉じる',
  save: '保存する',
  saving: '保存しています…',
  saved: (name: string) => `${name}を変更しました`,
  copied: 'コピーしました',
  notCopied: 'コピーできませんでした。選択してコピーしてください。',
};

export type SharedHooksDictionary = typeof ja;
