import type { ImportFault } from '@engawa/protocol/administration';

type Fault = ImportFault['fault'];

export const languages = ['ja', 'en'] as const;
export type Language = (typeof languages)[number];

const words: Readonly<Record<Language, Readonly<Record<Fault, string>>>> = {
  ja: {
    'column-missing': '「メールアドレス」の列がありません。1行目に列の名前を入れてください',
    'column-twice': '同じ内容の列がもうひとつあります',
    'cells-too-many': '列の名前がないところに値があります',
    'name-missing': '氏名がありません',
    'name-in-use': '見分けのつかない氏名のメンバーがいます。同姓同名の別の方なら、まったく同じ表記にしてください',
    'name-malformed': '氏名は2文字以上で、* ` \\ > " @ は使えません',
    'email-missing': 'メールアドレスがありません',
    'email-malformed': 'メールアドレスの形ではありません',
    'email-twice': '同じ人がほかの行にもあります',
    'email-in-use': 'ほかのメンバーが使っているメールアドレスです',
    'number-twice': '同じ社員番号がほかの行にもあります',
    'department-malformed': '部署の名前として読めません',
    'department-too-deep': '部署の階層が深すぎます',
    'department-ambiguous':
      '同じ名前の部署が複数あります。上の部署から書いてください。いちばん上の部署は「/総務部」のように書きます',
    'departments-too-many': '兼務が多すぎます',
    'role-unknown': '権限は、オーナー、管理者、モデレーター、メンバー、ゲストのどれかにしてください',
    'state-unknown': '状態は、在籍、退職のどちらかにしてください',
    'text-too-long': '長すぎます',
    'text-unreadable': '読めない文字があります',
    'last-owner': 'オーナーがひとりもいなくなります',
    'owners-only': 'オーナーにしかできない変更です',
    'person-unknown': 'チャットサーバーにこの人がいません。先にチャットサーバーで登録してください',
    'managed-elsewhere': 'チャットサーバーで管理している項目です。変更はチャットサーバーで行ってください',
  },
  en: {
    'column-missing': 'there is no column "email". The first line names the columns',
    'column-twice': 'another column says the same',
    'cells-too-many': 'there is a value where no column has a name',
    'name-missing': 'the name is missing',
    'name-in-use': 'another member’s name looks the same; write the names of different people with the same name identically',
    'name-malformed': 'a name has at least 2 characters, and none of * ` \\ > " @',
    'email-missing': 'the email address is missing',
    'email-malformed': 'this is no email address',
    'email-twice': 'the same person is in another row',
    'email-in-use': 'another member has this email address',
    'number-twice': 'the same employee number is in another row',
    'department-malformed': 'this is no name of a department',
    'department-too-deep': 'there are too many levels of departments',
    'department-ambiguous': 'several departments have this name. Write it with those above it, or as "/Sales" where nothing is',
    'departments-too-many': 'there are too many departments',
    'role-unknown': 'a role is one of owner, administrator, moderator, member, guest',
    'state-unknown': 'a state is active or inactive',
    'text-too-long': 'this is too long',
    'text-unreadable': 'there are characters that cannot be read',
    'last-owner': 'no owner would be left',
    'owners-only': 'only an owner can change this',
    'person-unknown': 'the chat server does not know this person; create them there first',
    'managed-elsewhere': 'the chat server manages this; change it there',
  },
};

const places: Readonly<Record<Language, { readonly header: string; readonly row: (line: number) => string }>> = {
  ja: { header: '1行目', row: (line) => `${line}行目` },
  en: { header: 'row 1', row: (line) => `row ${line}` },
};

/** One line: `12行目 メールアドレス「tanaka」: メールアドレスの形ではありません`. Rows are counted as in a spreadsheet. */
export function faultInWords({ row, column, fault, value }: ImportFault, language: Language): string {
  const place = places[language];
  const cell = [row === null ? place.header : place.row(row + 2), oneLine(column ?? '')].filter((part) => part !== '').join(' ');
  const [open, close] = language === 'ja' ? ['「', '」'] : [' "', '"'];
  const shown = value === '' || value === column ? '' : `${open}${oneLine(value)}${close}`;
  return `${cell}${shown}: ${words[language][fault]}`;
}

const mostShown = 40;

/** Removes control characters, which a terminal could interpret, and truncates the text. */
function oneLine(text: string): string {
  const letters = [...text.slice(0, 4 * mostShown).replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')];
  return letters.length > mostShown ? `${letters.slice(0, mostShown).join('')}…` : letters.join('');
}
