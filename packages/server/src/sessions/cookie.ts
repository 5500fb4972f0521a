import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cameByHttps } from '../security/proxies.ts';

export const sessionDays = 90;
const maxAge = sessionDays * 24 * 60 * 60;
/** Browsers keep a cookie for at most 400 days. */
export const deviceDays = 365;

type CookieName = 'engawa_session' | 'engawa_signed_out' | 'engawa_device';

/** With `__Host-` browsers accept the cookie from this host over https only, so nobody can replace the session. */
function fullNameOf(cookie: CookieName, request: FastifyRequest): string {
  return cameByHttps(request) ? `__Host-${cookie}` : cookie;
}

/** Undefined also for a cookie that was sent twice: one of the two may be forged. */
function valueOf(cookie: CookieName, request: FastifyRequest): string | undefined {
  const name = fullNameOf(cookie, request);
  return countOf(name, request) > 1 ? undefined : request.cookies[name];
}

function countOf(name: string, { headers: { cookie } }: FastifyRequest): number {
  if (cookie === undefined) return 0;
  return cookie.split(';').filter((each) => each.split('=', 1).join('').trim() === name).length;
}

function options(request: FastifyRequest): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: cameByHttps(request) };
}

export function tokenOf(request: FastifyRequest): string | undefined {
  return valueOf('engawa_session', request);
}

/** Names the browser, also after its session has ended. It gives no access. */
export function deviceTokenOf(request: FastifyRequest): string | undefined {
  return valueOf('engawa_device', request);
}

/** True if the request has a session cookie, valid or not. */
export function holdsSession(request: FastifyRequest): boolean {
  return countOf(fullNameOf('engawa_session', request), request) > 0;
}

/** True after the member signed out, so that the demo does not sign its default member in again. */
export function isSignedOut(request: FastifyRequest): boolean {
  return valueOf('engawa_signed_out', request) === '1';
}

export function setSignedIn(reply: FastifyReply, token: string): void {
  const { request } = reply;
  void reply
    .setCookie(fullNameOf('engawa_session', request), token, { ...options(request), maxAge })
    .clearCookie(fullNameOf('engawa_signed_out', request), options(request));
}

export function setDevice(reply: FastifyReply, token: string): void {
  const { request } = reply;
  const name = fullNameOf('engawa_device', request);
  void reply.setCookie(name, token, { ...options(request), maxAge: deviceDays * 24 * 60 * 60 });
}

export function setSignedOut(reply: FastifyReply): void {
  const { request } = reply;
  void reply
    .clearCookie(fullNameOf('engawa_session', request), options(request))
    .setCookie(fullNameOf('engawa_signed_out', request), '1', { ...options(request), maxAge });
}
