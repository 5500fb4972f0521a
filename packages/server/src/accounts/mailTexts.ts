export interface Mail {
  /** Contains no name of a member, so that a line break in a name cannot add a header to the mail. */
  readonly subject: string;
  readonly text: string;
}

export interface InvitationWords {
  readonly organisation: string;
  readonly invitedBy: string | null;
  readonly link: string;
}

export function invitationMail({ organisation, invitedBy, link }: InvitationWords): Mail {
  const by = invitedBy === null ? undefined : plain(invitedBy);
  return {
    subject: '社内チャットへの招待 / Invitation to the team chat',
    text: lines(
      `${by === undefined ? '' : `${by} さんから、`}「${plain(organisation)}」の社内チャット「縁側」への招待が届いています。`,
      '次のリンクを開いて、お名前とパスワードを登録してください。',
      '',
      link,
      '',
      'このリンクは 7 日間有効で、一度だけ使えます。お心当たりがない場合は、このメールを破棄してください。',
      '',
      '--',
      `You are invited${by === undefined ? '' : ` by ${by}`} to Engawa, the team chat of ${plain(organisation)}.`,
      'Open the link above to enter your name and choose a password. It is valid for 7 days and can be used once.',
      'If you did not expect it, you can ignore this mail.',
    ),
  };
}

export interface PasswordWords {
  readonly organisation: string;
  readonly fullName: string;
  readonly link: string;
}

export function passwordMail({ organisation, fullName, link }: PasswordWords): Mail {
  return {
    subject: 'パスワードの設定 / Set your password',
    text: lines(
      `${plain(fullName)} さん`,
      '',
      `「${plain(organisation)}」の社内チャット「縁側」のパスワードは、次のリンクから設定できます。`,
      '',
      link,
      '',
      'このリンクは 24 時間有効で、一度だけ使えます。設定すると、ほかの端末からはサインアウトされます。',
      'お心当たりがない場合は、このメールを破棄してください。パスワードは変わりません。',
      '',
      '--',
      `Set your password for Engawa, the team chat of ${plain(organisation)}, with the link above.`,
      'It is valid for 24 hours and can be used once. Using it signs out all your other devices.',
      'If you did not request it, you can ignore this mail. Your password will not change.',
    ),
  };
}

export function testMail(organisation: string): Mail {
  return {
    subject: 'メールの確認 / Test mail',
    text: lines(
      `「${plain(organisation)}」の社内チャット「縁側」から、メールを送れることを確かめるために送りました。`,
      'このメールが届いていれば、招待とパスワードのリンクもメールで届きます。',
      '',
      '--',
      `This mail shows that Engawa, the team chat of ${plain(organisation)}, can send mail.`,
      'Invitations and password links will arrive by mail too.',
    ),
  };
}

function plain(name: string): string {
  return name.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function lines(...text: readonly string[]): string {
  return `${text.join('\n')}\n`;
}
