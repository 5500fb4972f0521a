import type { ServerResponse } from 'node:http';

/** What a document may do: each kind of source by its directive. What is not named is `default-src 'none'`. */
type Policy = Readonly<Record<string, string>>;

function written(policy: Policy): string {
  return Object.entries(policy)
    .map((directive) => directive.join(' ').trim())
    .join('; ');
}

/** Nothing loads anything, nothing frames it, and it leads nowhere. */
const nothing: Policy = {
  'default-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/**
 * The screens: scripts and styles are files of ours, never text in a page, and no text becomes markup or the address of
 * a script but by the one policy of web/public/theme.js.
 */
const screens: Policy = {
  ...nothing,
  'script-src': "'self'",
  'style-src': "'self'",
  // A picture that is about to be sent is shown from the browser's memory.
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

/** Of a page that stands alone. @param style the one source of its style. */
export function pagePolicy(style: string): string {
  return written({ ...nothing, 'form-action': "'self'", 'style-src': style });
}

/** Of what a member has brought: shown as what it is, a browser runs nothing that is written in it. */
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
/** A year: a browser that has come by https once does not ask by http again. */
const transportSecurity = 'max-age=31536000';

export interface RequestedUrl {
  /** As it was asked for, from its first slash. */
  readonly url: string;
  /** Whether it came by https. */
  readonly secure: boolean;
}

/** The headers of every answer, whoever writes it later: Fastify, or the forwarder that answers past it. */
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
