import type { FastifyInstance } from 'fastify';
import { type Accounts, createAccounts } from './accounts/accounts.ts';
import { type Mailer, createMailer } from './accounts/mailer.ts';
import { accountRoutes } from './accounts/routes.ts';
import { administrationRoutes } from './administration/routes.ts';
import type { ChatBackend, Directory } from './chat/backend.ts';
import type { ConnectAs } from './chat/connections.ts';
import type { Configuration } from './configuration.ts';
import type { ProductData } from './data.ts';
import { demoSignIn } from './demo/signIn.ts';
import { emojiRoutes } from './emoji/routes.ts';
import { firstStepRoutes } from './firstSteps/routes.ts';
import type { Log } from './log/log.ts';
import { type PeopleCommands, createPeopleCommands } from './operator/commands.ts';
import type { Organisation } from './organisation/organisation.ts';
import type { FakeSignIn } from './sessions/fakeSignIn.ts';
import { type KnownDevices, createKnownDevices } from './sessions/knownDevices.ts';
import type { Gate } from './sessions/member.ts';
import { createEnterByLink } from './sessions/passwordSignIn.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SignIn } from './sessions/signIn.ts';
import { botPictureRoute } from './bots/routes.ts';
import { streamPictureRoutes } from './streams/routes.ts';

export interface DirectoryDependencies {
  readonly configuration: Configuration;
  readonly data: ProductData;
  readonly chat: ChatBackend;
  readonly directory: Directory;
  readonly connectAs: ConnectAs;
  readonly sessions: Sessions;
  readonly organisation: Organisation;
  readonly address: () => string;
  readonly now: () => number;
  readonly log: Log;
}

/** The parts that exist only if the product manages people. */
export interface OpenDirectory {
  readonly accounts: Accounts;
  readonly knownDevices: KnownDevices;
  readonly fakeSignIn: FakeSignIn | undefined;
  readonly setupNeeded: () => boolean;
  readonly runPeopleCommand: PeopleCommands;
  readonly mailer: Mailer | undefined;
  /** For the operator's command that shows it. */
  readonly keepSetupCode: (code: string) => void;
}

export function openDirectory(dependencies: DirectoryDependencies): OpenDirectory {
  const { configuration, data, chat, directory, connectAs, organisation, address, now, log } = dependencies;
  const { database } = data;
  const { authMode, mail } = configuration;
  const fake = authMode === 'fake';
  const mailer = !fake && mail ? createMailer(mail, log) : undefined;
  const accounts = createAccounts({ database, chatAccounts: directory.accounts, connectAs, mailer, address, now });
  const setupNeeded = () => !fake && directory.isEmpty();
  let keptCode: string | undefined;
  const setupCode = () => (setupNeeded() ? keptCode : undefined);
  return {
    accounts,
    mailer,
    knownDevices: createKnownDevices({ database, now, emailOf: (userId) => chat.keys.accountOf(userId)?.email }),
    fakeSignIn: fake ? demoSignIn(database, directory) : undefined,
    setupNeeded,
    runPeopleCommand: createPeopleCommands({
      database,
      chat,
      directory,
      organisation,
      accounts,
      authMode,
      setupCode,
    }),
    keepSetupCode: (code) => {
      keptCode = code;
    },
  };
}

export interface DirectoryRouteDependencies extends DirectoryDependencies, OpenDirectory {
  readonly gate: Gate;
  readonly signIn: SignIn;
  readonly onSetupCode: (code: string) => void;
}

export function directoryRoutes(app: FastifyInstance, dependencies: DirectoryRouteDependencies): void {
  const { configuration, data, directory: chat, accounts, organisation, gate, connectAs, now } = dependencies;
  const { database } = data;
  const onSetupCode = (code: string) => {
    dependencies.keepSetupCode(code);
    dependencies.onSetupCode(code);
  };
  accountRoutes(app, { ...dependencies, onSetupCode, chat, enterByLink: createEnterByLink(chat.accounts, connectAs) });
  botPictureRoute(app, { database, storage: data.pictures, chat, gate });
  streamPictureRoutes(app, { database, storage: data.streamPictures, chat, gate });
  emojiRoutes(app, { database, storage: data.emoji, chat, gate });
  administrationRoutes(app, { configuration, database, chat, organisation, accounts, gate });
  if (configuration.authMode !== 'fake') firstStepRoutes(app, { configuration, database, chat, accounts, gate, now });
}
