import { cleanFullName, cleanStreamName, isEmailAddress, isWeakPassword } from '@engawa/chat-server/parts';
import { type Directory, NotEmptyError } from '../chat/backend.ts';
import { accountPaths, type Setup, setup } from '@engawa/protocol/accounts';
import { maxDepartmentName } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import { type Organisation, newDepartmentCode } from '../organisation/organisation.ts';
import { parseBody } from './body.ts';
import type { AccountRouteDependencies } from './dependencies.ts';
import { SetupCode, newSetupCode } from './setupCode.ts';

/** Creates the organisation once; the caller proves access to the server's output by the setup code. */
export function setupRoute(app: FastifyInstance, dependencies: AccountRouteDependencies): void {
  const { chat, organisation, signIn, enterByLink, onSetupCode } = dependencies;
  const code = chat.isEmpty() ? createSetupCode(onSetupCode) : undefined;

  app.post(accountPaths.setup, async (request, reply) => {
    if (!code || !chat.isEmpty()) throw refused.setupDone();
    // Wrong codes are not counted: a code has 80 bits, and a count would let strangers keep the owner out.
    const { data } = z.object({ code: setup.shape.code }).safeParse(request.body);
    if (!data || !code.is(data.code)) throw refused.wrongSetupCode();
    const ownerId = await createOrganisation(parseBody(setup, request.body), chat, organisation);
    return signIn.admit(request, reply, await enterByLink(ownerId));
  });
}

function createSetupCode(onSetupCode: (code: string) => void): SetupCode {
  const code = newSetupCode();
  onSetupCode(code);
  return new SetupCode(code);
}

async function createOrganisation(
  { organisation: name, ...given }: Setup,
  chat: Pick<Directory, 'accounts' | 'createOrganisation'>,
  organisation: Organisation,
): Promise<number> {
  const { email, password } = given;
  if (!isEmailAddress(email)) throw refused.emailMalformed();
  const fullName = cleanFullName(given.name);
  if (isWeakPassword(password, { email, full_name: fullName })) throw refused.weakPassword();
  const displayName = cleanStreamName([...name].slice(0, maxDepartmentName).join(''));
  const owner = { email, fullName, passwordHash: await chat.accounts.hashPassword(password) };
  const userId = await organisation
    .create(() => chat.createOrganisation({ name, owner }))
    .catch((error: unknown) => {
      throw error instanceof NotEmptyError ? refused.setupDone() : error;
    });
  // The first department has a stream, so that the owner and all later members have a place to write.
  const code = newDepartmentCode();
  await organisation.apply({ departments: [{ code, displayName }], members: [{ userId, departments: [code] }] }, userId);
  return userId;
}
