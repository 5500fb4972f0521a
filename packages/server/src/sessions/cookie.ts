import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const sessionCookie = 'engawa_session';
const signedOutCookie = 'engawa_signed_out';

export const sessionDays = 90;
const maxAge = sessionDays * 24 * 60 * 60;

const cookie: CookieSerializeOptions = { httpOnly: true, sameSite: 'lax', path: '/' };

export function tokenOf(request: FastifyRequest): string | undefined {
  return request.cookies[sessionCookie];
}

/** Whether this browser was signed out on purpose, so that nobody is signed in by default. */
export function isSignedOut(request: FastifyRequest): boolean {
  return request.cookies[signedOutCookie] === '1';
}

export function setSignedIn(reply: FastifyReply, token: string): void {
  reply.setCookie(sessionCookie, token, { ...cookie, maxAge }).clearCookie(signedOutCookie, cookie);
}

export function setSignedOut(reply: FastifyReply): void {
  reply.clearCookie(sessionCookie, cookie).setCookie(signedOutCookie, '1', { ...cookie, maxAge });
}
