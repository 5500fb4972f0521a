import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cameByHttps } from '../security/proxies.ts';

export const sessionDays = 90;
const maxAge = sessionDays * 24 * 60 * 60;

/** What a browser keeps of us: the token of its session, and whether it was signed out on purpose. */
type CookieName = 'engawa_session' | 'engawa_signed_out';

/**
 * By https the name says to browsers that nobody but this host sets it, and by https alone: no neighbour of a shared
 * domain, and nobody on the network, can put a session of their own in its place.
 */
function fullNameOf(cookie: CookieName, request: FastifyRequest): string {
  return cameByHttps(request) ? `__Host-${cookie}` : cookie;
}

/** What the browser keeps; undefined also where it was sent twice, as nobody can tell which is the one that we set. */
function valueOf(cookie: CookieName, request: FastifyRequest): string | undefined {
  const name = fullNameOf(cookie, request);
  return countOf(name, request) > 1 ? undefined : request.cookies[name];
}

function countOf(name: string, { headers: { cookie = '' } }: FastifyRequest): number {
  return cookie.split(';').filter((each) => each.split('=', 1).join('').trim() === name).length;
}

function options(request: FastifyRequest): CookieSerializeOptions {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: cameByHttps(request) };
}

export function tokenOf(request: FastifyRequest): string | undefined {
  return valueOf('engawa_session', request);
}

/** Whether a browser's session comes with a request, be it one of ours or not. */
export function holdsSession(request: FastifyRequest): boolean {
  return countOf(fullNameOf('engawa_session', request), request) > 0;
}

/** Whether this browser was signed out on purpose, so that nobody is signed in by default. */
export function isSignedOut(request: FastifyRequest): boolean {
  return valueOf('engawa_signed_out', request) === '1';
}

export function setSignedIn(reply: FastifyReply, token: string): void {
  const { request } = reply;
  void reply
    .setCookie(fullNameOf('engawa_session', request), token, { ...options(request), maxAge })
    .clearCookie(fullNameOf('engawa_signed_out', request), options(request));
}

export function setSignedOut(reply: FastifyReply): void {
  const { request } = reply;
  void reply
    .clearCookie(fullNameOf('engawa_session', request), options(request))
    .setCookie(fullNameOf('engawa_signed_out', request), '1', { ...options(request), maxAge });
}
