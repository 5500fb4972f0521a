import { Turnstile } from '@engawa/chat-server/parts';
import { createTransport } from 'nodemailer';
import type { MailSettings } from '../configuration.ts';
import { reasonOf } from '../log/failure.ts';
import type { Log } from '../log/log.ts';
import { isLoopback } from '../security/hosts.ts';
import type { Mail } from './mailTexts.ts';

export interface Mailer {
  /** @param to a validated address. @param until of `performance.now`: a mail that waits longer is not sent. @returns why the mail server did not accept the mail; undefined: it did. */
  send(to: string, mailText: Mail, until?: number): Promise<string | undefined>;
  readonly counts: { readonly sent: number; readonly failed: number };
}

const most = { atOnce: 3, waiting: 200 };
/** Milliseconds; short, because the caller of the product waits until the mail server has answered. */
const timeout = 10_000;

export function createMailer({ host, port, secure, user, password, from }: MailSettings, log: Log): Mailer {
  const transport = createTransport({
    host,
    port,
    secure,
    // A password is never sent in clear text, even if the server offers nothing else.
    requireTLS: !secure && user !== undefined && !isLoopback(host),
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const turnstile = new Turnstile(most, () => new Error('too many mails are waiting'));
  const secrets = [password, password && Buffer.from(`\0${user}\0${password}`).toString('base64')];
  const counts = { sent: 0, failed: 0 };

  return {
    counts,
    async send(address, { subject, text }, until = Infinity) {
      try {
        await turnstile.pass(() => {
          if (performance.now() > until) throw new Error('the mail server is too slow');
          // nodemailer does not parse addresses given as objects, so they cannot inject a header or a recipient.
          const to = { name: '', address };
          return transport.sendMail({ from, to, subject, text, headers: { 'Auto-Submitted': 'auto-generated' } });
        });
        counts.sent += 1;
        return undefined;
      } catch (error) {
        counts.failed += 1;
        const reason = reasonWithout(secrets, error);
        log({ event: 'mail_not_sent', reason });
        return reason;
      }
    },
  };
}

function reasonWithout(secrets: readonly (string | undefined)[], error: unknown): string {
  return secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '…') : text), reasonOf(error));
}
