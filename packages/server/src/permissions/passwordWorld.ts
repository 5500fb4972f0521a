import { deactivateUser, roles } from '@engawa/protocol';
import { accountPaths, apiKeys } from '@engawa/protocol/accounts';
import { administrationPaths, invitations, sentInvitations, sentLink } from '@engawa/protocol/administration';
import { ask, join, memberOf, passwordOf, program, signIn, tokenIn, withPasswords } from '../testing/accounts.ts';
import { cookieFrom, owner, runProduct, type RunningProduct, setUp } from '../testing/product.ts';
import { type PermissionWorld, send } from './request.ts';
import { type Caller, callers } from './callers.ts';

/** A product with a member of each role, and the targets of calls. */
export interface PasswordWorld extends PermissionWorld {
  readonly product: RunningProduct;
  readonly setupCode: string;
  readonly ids: { readonly member: number; readonly secondOwner: number; readonly left: number };
  /** The id of a program's API key of the second owner. */
  readonly key: number;
  credentialsOf(caller: Caller): { readonly email: string; readonly password: string };
  invitationFor(role: keyof typeof roles): Promise<string>;
  invitationIdFor(role: keyof typeof roles): Promise<number>;
  passwordLinkFor(userId: number): Promise<string>;
}

const emailOf = (caller: Caller | 'target' | 'second' | 'maker') => (caller === 'owner' ? owner.email : `${caller}@niwa.example`);
const ownPasswordOf = (caller: Caller) => (caller === 'owner' ? owner.password : passwordOf(emailOf(caller)));
/** Sessions made for the deactivated member: more than the rows of the table, because a call may end one. */
const mostChecked = 40;

export async function makePasswordWorld(): Promise<PasswordWorld> {
  // No mail server listens at this address, so mails fail at once.
  const product = await runProduct({
    ...withPasswords,
    RATE_LIMIT: 'none',
    SMTP_URL: 'smtp://127.0.0.1:1',
    PUBLIC_URL: 'http://localhost',
    MAIL_FROM: 'engawa@niwa.example',
  });
  const owners = await setUp(product);
  const cookies = new Map<Caller, string>([['owner', owners]]);
  for (const caller of callers) {
    if (caller === 'nobody' || caller === 'owner') continue;
    const role = caller === 'deactivated' ? roles.member : roles[caller];
    cookies.set(caller, await join(product, owners, { email: emailOf(caller), role }));
  }
  const idOf = async (cookie: string) => (await memberOf(product, cookie)) ?? 0;
  const second = await join(product, owners, { email: emailOf('second'), role: roles.owner });
  // A further owner creates the links, because calls of the table change the sessions of the others.
  const maker = await join(product, owners, { email: emailOf('maker'), role: roles.owner });
  const target = await join(product, owners, { email: emailOf('target') });
  await program(product, emailOf('second'), passwordOf(emailOf('second')));
  const [key] = apiKeys.parse((await ask(product, 'GET', accountPaths.keys, undefined, { cookie: second })).json()).keys;

  const signedIn = async (caller: Caller) =>
    cookieFrom((await signIn(product, emailOf(caller), ownPasswordOf(caller))).headers['set-cookie']);
  // Sessions of the deactivated member, which must begin before the deactivation.
  const left: string[] = [];
  for (let count = 0; count < mostChecked; count += 1) left.push(await signedIn('deactivated'));
  const leaver = await idOf(cookies.get('deactivated') ?? '');
  await (await program(product)).call(deactivateUser, { user_id: leaver });

  let request = 0;
  let invited = 0;
  const post = async (url: string, json: object) => {
    const answer = await ask(product, 'POST', url, json, { cookie: maker });
    if (answer.statusCode !== 200) throw new Error(`POST ${url}: ${answer.body}`);
    return answer.json();
  };
  const newInvitation = async (role: keyof typeof roles) => {
    const email = `invited${(invited += 1)}@niwa.example`;
    const { sent } = sentInvitations.parse(await post(administrationPaths.invitations, { emails: [email], role: roles[role] }));
    return { email, token: tokenIn(sent[0]?.link ?? '') };
  };
  return {
    product,
    setupCode: product.setupCode ?? '',
    ids: { member: await idOf(target), secondOwner: await idOf(second), left: leaver },
    key: key?.id ?? 0,
    // Credentials for calls that take an email and a password; the caller "nobody" tries a member's.
    credentialsOf: (caller) => {
      const known = caller === 'nobody' ? 'member' : caller;
      return { email: emailOf(known), password: ownPasswordOf(known) };
    },
    invitationFor: async (role) => (await newInvitation(role)).token,
    async invitationIdFor(role) {
      const { email } = await newInvitation(role);
      const answer = await ask(product, 'GET', administrationPaths.invitations, undefined, { cookie: maker });
      return invitations.parse(answer.json()).invitations.find((each) => each.email === email)?.id ?? 0;
    },
    async passwordLinkFor(userId) {
      return tokenIn(sentLink.parse(await post(`${administrationPaths.members}/${userId}/reset`, {})).link);
    },
    async ask(method, caller, question) {
      // Each call has its own network, so that rate limits do not interfere.
      const address = `198.51.100.${(request += 1) % 250}`;
      if (caller === 'nobody') return send(product, method, question, { address });
      const cookie = caller === 'deactivated' ? left.pop() : cookies.get(caller);
      if (cookie === undefined) throw new Error('more rows than mostAsked');
      const answer = await send(product, method, question, { cookie, address });
      // The previous session ended, so the caller signs in again.
      if (answer.admits && caller !== 'deactivated') cookies.set(caller, await signedIn(caller));
      return answer;
    },
  };
}
