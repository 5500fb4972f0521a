import type { ServerResponse } from 'node:http';
import { WholeResponse } from './wholeResponse.ts';

type Policy = Readonly<Record<string, string>>;

function written(policy: Policy): string {
  return Object.entries(policy)
    .map((directive) => directive.join(' ').trim())
    .join('; ');
}

const nothing: Policy = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** Trusted Types: only the policy in web/public/theme.js may turn text into markup or a script address. */
const screens: Policy = {
  ...nothing,
  'script-src': "'self'",
  'style-src': "'self'",
  // A picture in the composer is shown from the browser's memory.
  'img-src': "'self' blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'media-src': "'self' blob:",
  'manifest-src': "'self'",
  'frame-src': "'none'",
  'object-src': "'none'",
  'form-action': "'self'",
  'require-trusted-types-for': "'script'",
  'trusted-types': 'default',
};

/** @param style the only allowed source of styles. */
export function pagePolicy(style: string): string {
  return written({ ...nothing, 'img-src': "'self'", 'style-src': style });
}

/** Uploads are shown sandboxed, so that browsers run nothing in them. */
export const uploadPolicy = "sandbox; default-src 'none'";

const policyOfAnswers = written(nothing);

const strictHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'X-Permitted-Cross-Domain-Policies': 'none',
};
/** Screens use the microphone, the camera and the screen in calls; an answer of the API never does. */
const permissionsOf = (devices: '(self)' | '()'): string =>
  `browsing-topics=(), camera=${devices}, display-capture=${devices}, geolocation=(), hid=(), microphone=${devices}, midi=(), ` +
  'payment=(), serial=(), usb=()';
const permissionsOfScreens = permissionsOf('(self)');
const permissionsOfAnswers = permissionsOf('()');
const transportSecurity = 'max-age=31536000';

export interface RequestedUrl {
  readonly url: string;
  readonly secure: boolean;
  /** The origin of the media server of calls, the only other one that a screen may connect to. */
  readonly mediaServer?: string | undefined;
}

/** Exported for answers that bypass Fastify's hooks. */
export function strictHeadersFor(requested: RequestedUrl): Readonly<Record<string, string>> {
  if (requested.url.startsWith('/api/')) return requested.secure ? secureAnswers : answers;
  return strictly(policyOfScreens(requested), permissionsOfScreens, requested.secure);
}

function strictly(policy: string, permissions: string, secure: boolean): Readonly<Record<string, string>> {
  return {
    ...strictHeaders,
    'Content-Security-Policy': policy,
    'Permissions-Policy': permissions,
    ...(secure ? { 'Strict-Transport-Security': transportSecurity } : {}),
  };
}

const answers = strictly(policyOfAnswers, permissionsOfAnswers, false);
const secureAnswers = strictly(policyOfAnswers, permissionsOfAnswers, true);

function policyOfScreens({ secure, mediaServer }: RequestedUrl): string {
  return written({
    ...screens,
    ...(mediaServer !== undefined && { 'connect-src': `'self' ${mediaServer}` }),
    ...(secure && { 'upgrade-insecure-requests': '' }),
  });
}

export function setStrictHeaders(response: ServerResponse, requested: RequestedUrl): void {
  const headers = strictHeadersFor(requested);
  if (response instanceof WholeResponse) response.usual = headers;
  else for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}
