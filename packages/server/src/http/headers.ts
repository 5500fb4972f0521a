import type { ServerResponse } from 'node:http';

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
const policyOfScreens = written(screens);
const policyOfSecureScreens = written({ ...screens, 'upgrade-insecure-requests': '' });

const strictHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'Permissions-Policy':
    'browsing-topics=(), camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(), ' +
    'payment=(), serial=(), usb=()',
};
const transportSecurity = 'max-age=31536000';

export interface RequestedUrl {
  readonly url: string;
  readonly secure: boolean;
}

/** Exported for the forwarder, whose answers bypass Fastify's hooks. */
export function strictHeadersFor({ url, secure }: RequestedUrl): Readonly<Record<string, string>> {
  return {
    ...strictHeaders,
    'Content-Security-Policy': policyFor(url, secure),
    ...(secure ? { 'Strict-Transport-Security': transportSecurity } : {}),
  };
}

function policyFor(url: string, secure: boolean): string {
  if (url.startsWith('/api/')) return policyOfAnswers;
  return secure ? policyOfSecureScreens : policyOfScreens;
}

export function setStrictHeaders(response: ServerResponse, requested: RequestedUrl): void {
  for (const [name, value] of Object.entries(strictHeadersFor(requested))) response.setHeader(name, value);
}
