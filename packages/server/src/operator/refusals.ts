import type { RefusedError } from '../http/errors.ts';

const reasons: readonly (readonly [RegExp, string])[] = [
  [/^The file is not a text table\. .*$/, 'ファイルを表として読めません。CSV（UTF-8 または Shift_JIS）で保存し直してください。'],
  [/^The file has more rows than the allowed limit of (\d+)\.$/, 'ファイルの行が多すぎます。$1 行までにしてください。'],
  [
    /^The organisation or the table has changed since the preview\. .*$/,
    '確認のあとで組織が変わりました。もう一度実行してください。',
  ],
  [/^Bad value for 'email'$/, 'メールアドレスの形ではありません。'],
  [/^A member already has this email\.$/, 'そのメールアドレスのメンバーはすでにいます。'],
  [/^A member is named twice\.$/, '同じメンバーが 2 回指定されています。'],
  [/^There is no such member\.$/, 'そのメンバーはいません。'],
  [/^The member is deactivated\.$/, 'そのメンバーは利用を停止されています。'],
  [/^Name too long!$/, '氏名が長すぎます。100 文字までにしてください。'],
  [/^Name too short!$/, '氏名は 2 文字以上にしてください。'],
  [/^Invalid characters in name!$/, '氏名に、* ` \\ > " @ と、目に見えない文字は使えません。'],
  [/^The text is too long \(limit: (\d+) characters\)$/, '文字が多すぎます。$1 文字までにしてください。'],
  [/^There is no such department\.$/, 'その部署はありません。'],
  [/^Bad name of a department: .*$/, '部署の名前として使えません。'],
  [/^A department with this name already exists there\.$/, '同じ場所に同じ名前の部署があります。'],
  [/^The department has members or departments below it\.$/, '部署にメンバーか、下の部署が残っています。'],
  [/^A department cannot be moved below itself\.$/, '部署を、それ自身の下には移せません。'],
  [/^Departments can have at most (\d+) levels\.$/, '部署は $1 階層までです。'],
  [/^There can be at most (\d+) departments\.$/, '部署は $1 までです。'],
  [/^A member can belong to at most (\d+) departments\.$/, 'ひとりの部署は $1 までです。'],
  [/^Must be an organization owner$/, 'オーナーにしかできない変更です。'],
  [/^Cannot deactivate the only organization owner\.$/, 'オーナーがひとりもいなくなります。'],
];

export function refusalInWords({ message }: RefusedError): string {
  const [pattern, words] = reasons.find(([known]) => known.test(message)) ?? [];
  return `できません。${pattern && words ? message.replace(pattern, words) : ''} / Refused: ${message}`;
}
