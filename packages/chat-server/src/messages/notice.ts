import { type Message, messageNotice } from '@engawa/protocol';

/** Only the server writes the column `notice`, so no member can forge a notice. */
export function noticeView(notice: string): Pick<Message, 'notice'> {
  return { notice: messageNotice.parse(JSON.parse(notice)) };
}
