import { Turnstile } from '@engawa/chat-server';
import { createTransport } from 'nodemailer';
import { isLoopback, type MailSettings } from '../configuration.ts';
import type { Log } from '../log.ts';
import type { Mail } from './mailTexts.ts';

/** Sends letters to members, one by one. */
export interface Mailer {
  /** @param to an address, already found to be one. @returns whether a mail server took it; why not stands in the log. */
  send(to: string, mailText: Mail): Promise<boolean>;
}

/** Letters on their way at once, and those that wait. */
const most = { atOnce: 3, waiting: 200 };
/** Milliseconds for the connection and for each answer: whoever asked for the letter waits for it. */
const timeout = 10_000;

export function createMailer({ host, port, secure, user, password, from }: MailSettings, log: Log): Mailer {
  const transport = createTransport({
    host,
    port,
    secure,
    // A password goes over no network in the clear, whatever the server says.
    requireTLS: !secure && user !== undefined && !isLoopback(host),
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const turnstile = new Turnstile(most, () => new Error('too many letters are waiting'));
  const secrets = [password, password && Buffer.from(`\0${user}\0${password}`).toString('base64')];

  return {
    async send(address, { subject, text }) {
      try {
        await turnstile.pass(() =>
          // Addresses as objects are taken as they are: nothing in them begins another header or another address.
          transport.sendMail({ from, to: { name: '', address }, subject, text, headers: { 'Auto-Submitted': 'auto-generated' } }),
        );
        return true;
      } catch (error) {
        log({ event: 'mail_not_sent', reason: reasonOf(error, secrets) });
        return false;
      }
    },
  };
}

/** What the mail server or the way to it said. Without a stack, which would say nothing of ours. */
function reasonOf(error: unknown, secrets: readonly (string | undefined)[]): string {
  const reason = error instanceof Error ? error.message : String(error);
  return secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '…') : text), reason);
}
