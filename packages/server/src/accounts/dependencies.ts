import type { Directory } from '../chat/backend.ts';
import type { Configuration } from '../configuration.ts';
import type { Log } from '../log/log.ts';
import type { Organisation } from '../organisation/organisation.ts';
import type { Gate } from '../sessions/member.ts';
import type { KnownDevices } from '../sessions/knownDevices.ts';
import type { EnterByLink } from '../sessions/passwordSignIn.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SignIn } from '../sessions/signIn.ts';
import type { Accounts } from './accounts.ts';

export interface AccountRouteDependencies {
  readonly configuration: Pick<Configuration, 'authMode'>;
  readonly chat: Directory;
  readonly accounts: Accounts;
  readonly organisation: Organisation;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly enterByLink: EnterByLink;
  readonly knownDevices: KnownDevices;
  readonly gate: Gate;
  readonly now: () => number;
  readonly log: Log;
  readonly onSetupCode: (code: string) => void;
}
