import { type ChatServer, NotEmptyError, cleanFullName, isEmailAddress, isWeakPassword } from '@engawa/chat-server';
import { roles } from '@engawa/protocol';
import { accountPaths, type Setup, setup } from '@engawa/protocol/accounts';
import type { FastifyInstance } from 'fastify';
import { refused } from '../http/errors.ts';
import { addressOfClient } from '../security/proxies.ts';
import type { Entrance } from '../sessions/entrance.ts';
import type { PasswordEntrance } from '../sessions/passwordSignIn.ts';
import { bodyAs } from './body.ts';
import { SetupCode, newSetupCode } from './setupCode.ts';
import { createThrottle, limits } from './throttle.ts';

export interface SetupOptions {
  readonly chat: Pick<ChatServer, 'isEmpty' | 'import'>;
  readonly entrance: Entrance;
  readonly passwords: PasswordEntrance;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Told to whoever starts the product, and to nobody else. */
  readonly tellCode: (code: string) => void;
}

/** POST /api/setup: makes the organisation with its owner, once. Whoever reads the server's output may. */
export function setupRoute(app: FastifyInstance, { chat, entrance, passwords, now, tellCode }: SetupOptions): void {
  const code = chat.isEmpty() ? guarded(tellCode) : undefined;
  const attempts = createThrottle(limits.setup, now);

  app.post(accountPaths.setup, async (request, reply) => {
    if (!code || !chat.isEmpty()) throw refused.setupDone();
    await attempts.failing(addressOfClient(request), () => {
      const { data } = setup.pick({ code: true }).safeParse(request.body);
      if (!data || !code.is(data.code)) throw refused.wrongSetupCode();
    });
    const asked = bodyAs(setup, request.body);
    return entrance.admit(request, reply, await passwords.enter(await found(asked, chat, now())));
  });
}

function guarded(tellCode: SetupOptions['tellCode']): SetupCode {
  const code = newSetupCode();
  tellCode(code);
  return new SetupCode(code);
}

/** @returns the owner's id. */
async function found(asked: Setup, chat: SetupOptions['chat'], now: number): Promise<number> {
  const { organisation: name, email, password } = asked;
  if (!isEmailAddress(email)) throw refused.emailMalformed();
  const full_name = cleanFullName(asked.name);
  if (isWeakPassword(password, { email, full_name })) throw refused.weakPassword();
  const date_joined = Math.floor(now / 1000);
  const owner = { email, full_name, password, role: roles.owner, timezone: '', avatar_url: null, date_joined };
  try {
    const { users } = await chat.import({ name, description: '', users: [owner], streams: [], messages: [], unread: [] });
    const id = users.get(email);
    if (id === undefined) throw new TypeError('the import gave the owner no number');
    return id;
  } catch (error) {
    // Of two at once the first alone.
    if (error instanceof NotEmptyError) throw refused.setupDone();
    throw error;
  }
}
