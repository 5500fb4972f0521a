/** Bringing in people and departments from a file: fetched with its screen. Of these words, too, the Japanese are the source. */
import type { ImportFault } from '@engawa/protocol/administration';

const number = new Intl.NumberFormat('ja-JP');
const people = (count: number): string => `${number.format(count)} 人`;

const faults: Readonly<Record<ImportFault['fault'], string>> = {
  'column-missing': '「メールアドレス」の列がありません。1 行目に列の名前を入れてください。',
  'column-twice': '同じ内容の列がほかにもあります。どちらかの名前を変えてください。',
  'cells-too-many': '列の名前がないところに値があります。',
  'name-missing': '氏名を入れてください。',
  'name-malformed': '2 文字以上にしてください。* ` \\ > " @ は使えません。',
  'email-missing': 'メールアドレスを入れてください。',
  'email-malformed': 'メールアドレスの形にしてください。',
  'email-twice': '同じ人がほかの行にもあります。',
  'email-in-use': 'ほかのメンバーが使っているメールアドレスです。',
  'number-twice': '同じ社員番号がほかの行にもあります。',
  'department-malformed': '部署の名前として読めません。「営業本部/第一課」のように書いてください。',
  'department-too-deep': '部署の階層が深すぎます。10 階層までにしてください。',
  'department-ambiguous': '同じ名前の部署が複数あります。上の部署から「営業本部/第一課」のように書いてください。',
  'departments-too-many': '部署は 20 までにしてください。',
  'role-unknown': 'オーナー、管理者、モデレーター、メンバー、ゲストのどれかにしてください。',
  'state-unknown': '在籍、退職のどちらかにしてください。',
  'text-too-long': '長すぎます。短くしてください。',
  'text-unreadable': '読めない文字があります。打ち直してください。',
  'last-owner': 'オーナーがひとりもいなくなるため、変更できません。',
  'owners-only': 'オーナーにしかできない変更です。',
};

const changes: Readonly<Record<string, string>> = {
  full_name: '氏名',
  email: 'メールアドレス',
  reading: 'ふりがな',
  title: '役職',
  employee_number: '社員番号',
  role: '権限',
  is_active: '状態',
  departments: '部署',
};

export const ja = {
  choose: {
    heading: 'CSV ファイルからまとめて登録',
    advice: 'メンバーと部署を一度に登録、変更できます。反映する前に、何がどう変わるかを確かめられます。',
    drop: 'ここにファイルを置く',
    pick: 'ファイルを選ぶ',
    form: 'CSV（Shift_JIS または UTF-8）、20,000 行、5 MB まで',
    reading: '読み込んでいます…',
    columnsHeading: '使える列',
    columns: [
      ['メールアドレス', '必須。この人だと分かるしるしです'],
      ['氏名', '「姓」と「名」に分けても使えます'],
      ['社員番号', 'あると、メールアドレスが変わっても同じ人だと分かります'],
      ['ふりがな', 'カタカナでも使えます'],
      ['部署', '「営業本部/第一課」のように上から書きます。ない部署は作ります'],
      ['兼務', 'ほかの部署を「、」か「;」で区切ります'],
      ['役職', '部長、課長など'],
      ['権限', 'オーナー、管理者、モデレーター、メンバー、ゲスト'],
      ['状態', '在籍か退職。退職にすると利用できなくなります'],
    ],
    order: '列の順番は自由です。ない列の内容は、今のまま変わりません。',
    sample: '見本の CSV をダウンロード',
    sampleName: '取り込みの見本.csv',
    sampleRows: [
      ['社員番号', '氏名', 'ふりがな', 'メールアドレス', '部署', '兼務', '役職', '権限', '状態'],
      ['0012', '髙橋 一郎', 'たかはし いちろう', 'takahashi@example.co.jp', '営業本部/第一営業部', '', '部長', '管理者', '在籍'],
      ['0013', '佐藤 花子', 'さとう はなこ', 'sato@example.co.jp', '営業本部/第一営業部/一課', '開発本部', '', 'メンバー', '在籍'],
      ['', '', '', '', '開発本部/品質保証部', '', '', '', ''],
    ],
    present: '今の名簿を CSV でダウンロード',
    presentName: '名簿.csv',
  },

  file: {
    rows: (count: number) => `${number.format(count)} 行`,
    another: '別のファイルを選ぶ',
    encoding: '文字コード',
    encodings: { 'utf-8': 'UTF-8', shift_jis: 'Shift_JIS', 'utf-16le': 'UTF-16' },
    ignored: (columns: readonly string[]) => `使わない列: ${columns.join('、')}`,
    contents: (shown: number) => `ファイルの内容（はじめの ${number.format(shown)} 行）`,
    contentsAll: 'ファイルの内容',
    line: '行',
    tooLarge: (most: string) => `ファイルが大きすぎます。${most} までのものを選んでください。`,
    notReadable: '表として読めないファイルです。Excel などの表は「名前を付けて保存」で CSV にしてから選んでください。',
    tooManyRows: '行が多すぎます。20,000 行までに分けてください。',
    checking: '確かめています…',
  },

  faults: {
    heading: (count: number) => `直すところが ${number.format(count)} か所あります`,
    advice: 'ここで直すか、その行を外してください。直すまで、何も変わりません。',
    inHeader: '1 行目（列の名前）',
    line: (line: number) => `${number.format(line)} 行目`,
    extra: (index: number) => `${index} 列目`,
    leaveOut: '外す',
    leaveOutLine: (line: number) => `${number.format(line)} 行目を外す`,
    leftOut: (count: number) => `${number.format(count)} 行を外しました。`,
    bringBack: '元に戻す',
    check: '直した内容を確かめる',
    more: (count: number) => `ほかに ${number.format(count)} 行あります。上の行を直して確かめると出てきます。`,
    why: faults,
  },

  difference: {
    heading: '反映すると、こうなります',
    done: '反映しました',
    nothing: '変わるところはありません。ファイルの内容は、今の組織と同じです。',
    absent: 'ファイルにない人と部署は、今のまま変わりません。',
    departmentsMade: '作る部署',
    departmentsMoved: '移す部署',
    departmentsRenamed: '名前を変える部署',
    membersMade: '追加するメンバー',
    membersChanged: '変更するメンバー',
    same: (count: number) => `変わらないメンバー ${people(count)}`,
    joins: 'ストリームに加わる人',
    leaves: 'ストリームから外れる人',
    people,
    departments: (count: number) => `${number.format(count)} 件`,
    /** Somebody may join several. */
    stays: (count: number) => `のべ ${people(count)}`,
    renamed: (from: string, to: string) => `${from} → ${to}`,
    what: (names: readonly string[]) => names.map((name) => changes[name] ?? name).join('、'),
    more: (count: number) => `ほか ${number.format(count)} 件`,
    apply: 'この内容で反映する',
    applying: '反映しています…',
    confirmHeading: 'ファイルの内容の反映',
    confirmQuestion: '次の変更を反映しますか？ 反映したあとで、まとめて元に戻すことはできません。',
    counted: (label: string, count: string) => `${label}：${count}`,
    confirm: '反映する',
    changed: 'ほかの変更があったため、もう一度確かめました。内容を見てから反映してください。',
  },

  done: {
    withoutPassword: (count: number) => `パスワードがまだないメンバーが ${people(count)} います`,
    withoutPasswordAdvice: '「メンバー」の画面で、パスワードを決めるリンクを作って本人に渡してください。',
    toMembers: 'メンバーの画面を開く',
    again: '続けて別のファイルを取り込む',
  },
};

export type ImportDictionary = typeof ja;
