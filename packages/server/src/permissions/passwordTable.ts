import { accountPaths } from '@engawa/protocol/accounts';
import { administrationPaths } from '@engawa/protocol/administration';
import { paths } from '@engawa/protocol/product';
import { roles } from '@engawa/protocol';
import type { PasswordWorld } from './passwordWorld.ts';
import { type Calls, row } from './row.ts';

const password = 'つぎの合言葉は雪見灯籠';
/** An invalid token of the right length. */
const noToken = 'x'.repeat(43);

let made = 0;
const newEmail = () => `made${(made += 1)}@niwa.example`;

/** Calls that exist only with passwords or differ from the fake mode. A code, a password or a link lets in any caller. */
export const passwordCalls: Calls<PasswordWorld> = {
  //                            nobody guest memb  mod   admin owner deactivated
  'POST /api/setup': [
    row('done  done  done  done  done  done  done ', 'another organisation with the former setup code', ({ setupCode }) => ({
      url: accountPaths.setup,
      json: { code: setupCode, organisation: '株式会社 池', name: '池野 鯉', email: 'ikeno@niwa.example', password },
    })),
  ],
  'POST /api/session': [
    row('ok    ok    ok    ok    ok    ok    gone ', 'a sign-in as oneself', ({ credentialsOf }, caller) => ({
      url: paths.session,
      json: credentialsOf(caller),
    })),
    row('wrong wrong wrong wrong wrong wrong wrong', 'a sign-in with a wrong password', ({ credentialsOf }, caller) => ({
      url: paths.session,
      json: { ...credentialsOf(caller), password },
    })),
    row(
      'wrong wrong wrong wrong wrong wrong wrong',
      'a sign-in without a password, as in the fake mode',
      ({ credentialsOf }, caller) => ({
        url: paths.session,
        json: { email: credentialsOf(caller).email },
      }),
    ),
  ],
  'POST /api/invitation': [
    row('ok    ok    ok    ok    ok    ok    ok   ', 'a valid link', async ({ invitationFor }) => ({
      url: accountPaths.invitation,
      json: { token: await invitationFor('member') },
    })),
    row('dead  dead  dead  dead  dead  dead  dead ', 'an invalid link', () => ({
      url: accountPaths.invitation,
      json: { token: noToken },
    })),
    row('dead  dead  dead  dead  dead  dead  dead ', 'a password link', async ({ passwordLinkFor, ids }) => ({
      url: accountPaths.invitation,
      json: { token: await passwordLinkFor(ids.member) },
    })),
  ],
  'POST /api/invitation/accept': [
    row('ok    ok    ok    ok    ok    ok    ok   ', 'a valid link', async ({ invitationFor }) => ({
      url: accountPaths.acceptInvitation,
      json: { token: await invitationFor('member'), name: `池野 ${newEmail().split('@')[0]}`, reading: 'いけの こい', password },
    })),
    row('dead  dead  dead  dead  dead  dead  dead ', 'an invalid link', () => ({
      url: accountPaths.acceptInvitation,
      json: { token: noToken, name: '池野 鯉', reading: '', password },
    })),
  ],
  'POST /api/password': [
    row('who   ok    ok    ok    ok    ok    gone ', 'the own password with the current one', ({ credentialsOf }, caller) => ({
      url: accountPaths.password,
      json: { current: credentialsOf(caller).password, password: credentialsOf(caller).password },
    })),
    row('who   wrong wrong wrong wrong wrong gone ', 'the own password with a wrong current one', () => ({
      url: accountPaths.password,
      json: { current: 'まちがいの合言葉です', password },
    })),
  ],
  'POST /api/password/forgotten': [
    row('ok    ok    ok    ok    ok    ok    ok   ', 'of a member', ({ credentialsOf }, caller) => ({
      url: accountPaths.passwordForgotten,
      json: { email: credentialsOf(caller).email },
    })),
    row('ok    ok    ok    ok    ok    ok    ok   ', 'of an unknown person', () => ({
      url: accountPaths.passwordForgotten,
      json: { email: newEmail() },
    })),
  ],
  'POST /api/password/link': [
    row('ok    ok    ok    ok    ok    ok    ok   ', 'a valid link', async ({ passwordLinkFor, ids }) => ({
      url: accountPaths.passwordLink,
      json: { token: await passwordLinkFor(ids.member) },
    })),
    row('dead  dead  dead  dead  dead  dead  dead ', 'an invalid link', () => ({
      url: accountPaths.passwordLink,
      json: { token: noToken },
    })),
    row('dead  dead  dead  dead  dead  dead  dead ', 'an invitation link', async ({ invitationFor }) => ({
      url: accountPaths.passwordLink,
      json: { token: await invitationFor('owner') },
    })),
  ],
  'POST /api/password/reset': [
    row('ok    ok    ok    ok    ok    ok    ok   ', 'by a valid link', async ({ passwordLinkFor, ids }) => ({
      url: accountPaths.passwordReset,
      json: { token: await passwordLinkFor(ids.member), password },
    })),
    row('dead  dead  dead  dead  dead  dead  dead ', 'by an invalid link', () => ({
      url: accountPaths.passwordReset,
      json: { token: noToken, password },
    })),
  ],
  'DELETE /api/keys/:id': [
    row('who   none  none  none  none  none  gone ', 'another’s', ({ key }) => ({ url: `${accountPaths.keys}/${key}` })),
  ],
  'GET /api/administration/invitations': [
    row('who   rank  rank  rank  ok    ok    gone ', 'all valid ones', () => ({ url: administrationPaths.invitations })),
  ],
  'POST /api/administration/invitations': [
    row('who   rank  rank  rank  ok    ok    gone ', 'of a member', () => ({
      url: administrationPaths.invitations,
      json: { emails: [newEmail(), newEmail()] },
    })),
    row('who   rank  rank  rank  ok    ok    gone ', 'of an administrator', () => ({
      url: administrationPaths.invitations,
      json: { emails: [newEmail(), newEmail()], role: roles.administrator },
    })),
    row('who   rank  rank  rank  rank  ok    gone ', 'of an owner', () => ({
      url: administrationPaths.invitations,
      json: { emails: [newEmail(), newEmail()], role: roles.owner },
    })),
  ],
  'DELETE /api/administration/invitations/:id': [
    row('who   rank  rank  rank  ok    ok    gone ', 'a member’s', async ({ invitationIdFor }) => ({
      url: `${administrationPaths.invitations}/${await invitationIdFor('member')}`,
    })),
    row('who   rank  rank  rank  rank  ok    gone ', 'an owner’s', async ({ invitationIdFor }) => ({
      url: `${administrationPaths.invitations}/${await invitationIdFor('owner')}`,
    })),
    row('who   rank  rank  rank  none  none  gone ', 'an unknown one', () => ({
      url: `${administrationPaths.invitations}/999999`,
    })),
  ],
  'GET /api/administration/first-steps': [
    row('who   rank  rank  rank  ok    ok    gone ', 'what is set up', () => ({ url: administrationPaths.firstSteps })),
  ],
  'PATCH /api/administration/first-steps': [
    row('who   rank  rank  rank  ok    ok    gone ', 'the guide put away', () => ({
      url: administrationPaths.firstSteps,
      json: { is_dismissed: true },
    })),
  ],
  'POST /api/administration/mail-test': [
    row('who   rank  rank  rank  ok    ok    gone ', 'a test mail to oneself', () => ({ url: administrationPaths.mailTest })),
  ],
  'POST /api/administration/members': [
    row('who   rank  rank  rank  ok    ok    gone ', 'a new one, with a link', () => ({
      url: administrationPaths.members,
      json: { full_name: '新人 一郎', email: newEmail() },
    })),
    row('who   rank  rank  rank  rank  ok    gone ', 'a new owner, with a link', () => ({
      url: administrationPaths.members,
      json: { full_name: '新人 二郎', email: newEmail(), role: roles.owner },
    })),
  ],
  'PATCH /api/administration/members/:id': [
    row('who   rank  rank  rank  rank  ok    gone ', 'an owner’s email, to which a link could be sent', ({ ids }) => ({
      url: `${administrationPaths.members}/${ids.secondOwner}`,
      json: { email: newEmail() },
    })),
  ],
  'POST /api/administration/members/:id/reset': [
    row('who   rank  rank  rank  ok    ok    gone ', 'a member’s password', ({ ids }) => ({
      url: `${administrationPaths.members}/${ids.member}/reset`,
    })),
    row('who   rank  rank  rank  rank  ok    gone ', 'an owner’s password', ({ ids }) => ({
      url: `${administrationPaths.members}/${ids.secondOwner}/reset`,
    })),
    row('who   rank  rank  rank  left  left  gone ', 'a deactivated member’s password', ({ ids }) => ({
      url: `${administrationPaths.members}/${ids.left}/reset`,
    })),
    row('who   rank  rank  rank  none  none  gone ', 'of an unknown member', () => ({
      url: `${administrationPaths.members}/999999/reset`,
    })),
  ],
  'DELETE /api/administration/members/:id/sessions': [
    row('who   rank  rank  rank  ok    ok    gone ', 'a member’s', ({ ids }) => ({
      url: `${administrationPaths.members}/${ids.member}/sessions`,
    })),
    row('who   rank  rank  rank  rank  ok    gone ', 'an owner’s', ({ ids }) => ({
      url: `${administrationPaths.members}/${ids.secondOwner}/sessions`,
    })),
  ],
};
