import { CallCounts } from '@engawa/chat-server/parts';
import type { Directory } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import {
  administrationPaths,
  type FirstStep,
  firstSteps,
  firstStepsChange,
  type FirstStepsState,
  type MailTest,
} from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import type { Accounts } from '../accounts/accounts.ts';
import { lastBackup } from '../backup/lastBackup.ts';
import type { Configuration, MailSettings } from '../configuration.ts';
import { departments } from '../departments/store.ts';
import { refused } from '../http/errors.ts';
import { parse } from '../http/parameters.ts';
import { isLoopback } from '../security/hosts.ts';
import type { Gate } from '../sessions/member.ts';
import { firstStepNotes } from './store.ts';

export interface FirstStepDependencies {
  readonly configuration: Pick<Configuration, 'mail' | 'dataDirectory'>;
  readonly database: Database;
  readonly chat: Pick<Directory, 'allUsers' | 'allStreams'>;
  readonly accounts: Pick<Accounts, 'invitations' | 'mailTest'>;
  readonly gate: Pick<Gate, 'administrator'>;
  readonly now: () => number;
}

/** Test mails of a member. */
const mailTests = { calls: 5, seconds: 10 * 60 } as const;

/** The progress of setting up an organisation. A step is done when its result exists, so nothing else is stored for it. */
export function firstStepRoutes(app: FastifyInstance, dependencies: FirstStepDependencies): void {
  const { configuration, database, accounts, gate, now } = dependencies;
  const tests = new CallCounts({ now }, mailTests);

  app.get(administrationPaths.firstSteps, async (request, reply) => {
    await gate.administrator(request);
    const backup = await lastBackup(configuration.dataDirectory);
    const noted = new Set(firstStepNotes.names(database.reader));
    const isDone: Readonly<Record<FirstStep, boolean>> = {
      ...resultsOf(dependencies),
      mail: configuration.mail !== undefined && noted.has('mail'),
      backup: backup !== null,
    };
    const answer: FirstStepsState = {
      done: firstSteps.filter((step) => isDone[step]),
      is_dismissed: noted.has('dismissed'),
      mail: configuration.mail === undefined ? null : mailView(configuration.mail),
      last_backup: backup,
    };
    return reply.header('Cache-Control', 'private, no-store').send(answer);
  });

  app.patch(administrationPaths.firstSteps, async (request) => {
    await gate.administrator(request);
    const { is_dismissed: isDismissed } = parse(firstStepsChange, request.body);
    await database.write((tx) => (isDismissed ? firstStepNotes.add(tx, 'dismissed') : firstStepNotes.remove(tx, 'dismissed')));
    return {};
  });

  app.post(administrationPaths.mailTest, async (request, reply) => {
    const { id, email } = await gate.administrator(request);
    const { exceeded, reset } = tests.spend(id);
    if (exceeded) throw refused.tooManyAttempts(reset - now() / 1000);
    const reason = await accounts.mailTest(email);
    if (reason === undefined) await database.write((tx) => firstStepNotes.add(tx, 'mail'));
    const answer: MailTest = { to: email, reason: reason ?? null };
    return reply.header('Cache-Control', 'no-store').send(answer);
  });
}

/** The steps whose result exists. Setup creates one department, with its stream, and the owner. */
function resultsOf({ database, chat, accounts }: Pick<FirstStepDependencies, 'database' | 'chat' | 'accounts'>) {
  const all = departments.all(database.reader);
  const bound = new Set(all.map(({ stream_id }) => stream_id));
  return {
    departments: all.length > 1,
    invitations: chat.allUsers().filter(({ isActive }) => isActive).length > 1 || accounts.invitations().length > 0,
    streams: chat.allStreams().some(({ streamId, isArchived }) => !isArchived && !bound.has(streamId)),
  };
}

/** With a password the mailer requires TLS, unless the mail server is on this machine. */
function mailView({ host, port, secure, user, from }: MailSettings): NonNullable<FirstStepsState['mail']> {
  return { host, port, is_encrypted: secure || (user !== undefined && !isLoopback(host)), from: from.address };
}
