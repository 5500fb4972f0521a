import {
  type Accounts,
  type ChatServer,
  type Founding,
  NotEmptyError,
  cleanFullName,
  cleanStreamName,
  isEmailAddress,
  isWeakPassword,
} from '@engawa/chat-server';
import { accountPaths, type Setup, setup } from '@engawa/protocol/accounts';
import { maxDepartmentName } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { refused } from '../http/errors.ts';
import { addressOfClient } from '../security/proxies.ts';
import { type Organisation, newDepartmentCode } from '../organisation/organisation.ts';
import type { Entrance } from '../sessions/signIn.ts';
import type { PasswordEntrance } from '../sessions/passwordSignIn.ts';
import { bodyAs } from './body.ts';
import { SetupCode, newSetupCode } from './setupCode.ts';
import { createThrottle, limits } from './throttle.ts';

export interface SetupOptions {
  readonly chat: Pick<ChatServer, 'accounts' | 'isEmpty'>;
  readonly organisation: Pick<Organisation, 'found' | 'apply'>;
  readonly entrance: Entrance;
  readonly passwords: PasswordEntrance;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told to whoever starts the product, and to nobody else. */
  readonly tellCode: (code: string) => void;
}

/** POST /api/setup: makes the organisation with its owner, once. Whoever reads the server's output may. */
export function setupRoute(app: FastifyInstance, { chat, organisation, entrance, passwords, now, tellCode }: SetupOptions): void {
  const code = chat.isEmpty() ? guarded(tellCode) : undefined;
  const attempts = createThrottle(limits.setup, now);

  app.post(accountPaths.setup, async (request, reply) => {
    if (!code || !chat.isEmpty()) throw refused.setupDone();
    await attempts.failing(addressOfClient(request), () => {
      const { data } = setup.pick({ code: true }).safeParse(request.body);
      if (!data || !code.is(data.code)) throw refused.wrongSetupCode();
    });
    const asked = bodyAs(setup, request.body);
    return entrance.admit(request, reply, await passwords.enter(await found(asked, chat.accounts, organisation)));
  });
}

function guarded(tellCode: SetupOptions['tellCode']): SetupCode {
  const code = newSetupCode();
  tellCode(code);
  return new SetupCode(code);
}

/** @returns the owner's id. */
async function found(
  { organisation: name, ...asked }: Setup,
  accounts: Pick<Accounts, 'hashPassword'>,
  organisation: SetupOptions['organisation'],
): Promise<number> {
  const { email, password } = asked;
  if (!isEmailAddress(email)) throw refused.emailMalformed();
  const fullName = cleanFullName(asked.name);
  if (isWeakPassword(password, { email, full_name: fullName })) throw refused.weakPassword();
  const displayName = cleanStreamName([...name].slice(0, maxDepartmentName).join(''));
  const owner = { email, fullName, passwordHash: await accounts.hashPassword(password) };
  const { userId } = await founded({ name, owner }, organisation);
  // The owner finds a stream to write in, and everybody who comes finds the same.
  const code = newDepartmentCode();
  const members = [{ userId, departments: [code] }];
  await organisation.apply({ departments: [{ code, displayName }], members }, userId);
  return userId;
}

async function founded(founding: Founding, organisation: SetupOptions['organisation']): Promise<{ userId: number }> {
  try {
    return await organisation.found(founding);
  } catch (error) {
    // Of two at once the first alone.
    if (error instanceof NotEmptyError) throw refused.setupDone();
    throw error;
  }
}
