/** Browsers and programs of a product with passwords. */
import type { PasswordCost } from '@engawa/chat-server';
import { connect, fetchApiKey } from '@engawa/client';
import { accountPaths } from '@engawa/protocol/accounts';
import { administrationPaths, type InvitationCreation, sentInvitations, type SentLink } from '@engawa/protocol/administration';
import { paths, session } from '@engawa/protocol/product';
import type { InjectOptions } from 'fastify';
import { onTestFinished } from 'vitest';
import { cookieFrom, fromOwnPage, owner, type RunningProduct, runProduct, setUp } from './product.ts';

const host = 'localhost';

/** The network address of the browsers. */
export const browserAddress = '192.0.2.10';

export interface Caller {
  readonly cookie?: string | undefined;
  readonly authorization?: string | undefined;
  readonly address?: string | undefined;
}

type Method = NonNullable<InjectOptions['method']>;

export async function ask(
  { app }: RunningProduct,
  method: Method,
  url: string,
  payload: object | undefined,
  { cookie, authorization, address = browserAddress }: Caller = {},
) {
  const credentials = { ...(cookie === undefined ? {} : { cookie }), ...(authorization === undefined ? {} : { authorization }) };
  const contentType = payload instanceof Uint8Array ? { 'content-type': 'application/octet-stream' } : {};
  const headers = { host, ...fromOwnPage, ...credentials, ...contentType };
  return app.inject({ method, url, headers, remoteAddress: address, ...(payload === undefined ? {} : { payload }) });
}

export interface FoundedOrganisation {
  readonly product: RunningProduct;
  readonly owner: string;
}

/** Members connect over http; transport is not the subject of these tests. */
export const withPasswords = { AUTH_MODE: 'password', INSECURE_HTTP: 'yes' } as const;

export async function founded(
  environment: Readonly<Record<string, string>> = {},
  passwordCost?: PasswordCost,
): Promise<FoundedOrganisation> {
  const product = await runProduct({ ...withPasswords, ...environment }, undefined, passwordCost);
  onTestFinished(() => product.close());
  return { product, owner: await setUp(product) };
}

type InvitationOfOne = Omit<InvitationCreation, 'emails'> & { readonly email: string };

export async function invite(product: RunningProduct, cookie: string, { email, ...terms }: InvitationOfOne): Promise<SentLink> {
  const answer = await ask(product, 'POST', administrationPaths.invitations, { emails: [email], ...terms }, { cookie });
  if (answer.statusCode !== 200) throw new Error(`the invitation was refused: ${answer.body}`);
  const [sent] = sentInvitations.parse(answer.json()).sent;
  if (!sent) throw new Error(`the invitation was refused: ${answer.body}`);
  return sent;
}

export function tokenIn(link: string): string {
  return link.slice(link.lastIndexOf('/') + 1);
}

export const passwordOf = (email: string): string => `${email.length} 枚の濡れ縁 ${email.slice(0, 2)}`;

/** @returns the browser's cookie. */
export async function join(
  product: RunningProduct,
  cookie: string,
  invitation: InvitationOfOne & { readonly name?: string },
): Promise<string> {
  const { name = `縁側 ${invitation.email}`.replaceAll('@', ' '), ...invited } = invitation;
  const { link } = await invite(product, cookie, invited);
  const payload = { token: tokenIn(link), name, reading: '', password: passwordOf(invitation.email) };
  const answer = await ask(product, 'POST', accountPaths.acceptInvitation, payload);
  if (answer.statusCode !== 200) throw new Error(`the acceptance was refused: ${answer.body}`);
  return cookieFrom(answer.headers['set-cookie']);
}

export const signIn = (product: RunningProduct, email: string, password: string, caller: Caller = {}) =>
  ask(product, 'POST', paths.session, { email, password }, caller);

export async function memberOf(product: RunningProduct, cookie: string): Promise<number | undefined> {
  return session.parse((await ask(product, 'GET', paths.session, undefined, { cookie })).json()).member?.user_id;
}

export async function program(product: RunningProduct, email: string = owner.email, password: string = owner.password) {
  const { api_key: apiKey } = await fetchApiKey(connect({ realm: product.address }), { username: email, password });
  return connect({ realm: product.address, username: email, apiKey });
}
