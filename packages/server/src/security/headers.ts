import type { ServerResponse } from 'node:http';

/** @param sources further sources by kind: `style` for `style-src`. */
export function contentSecurityPolicy(sources: { readonly style?: string } = {}): string {
  return [
    "default-src 'self'",
    "img-src 'self' blob: data:",
    `style-src ${sources.style ?? "'self'"}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');
}

const strictHeaders = Object.entries({
  'Content-Security-Policy': contentSecurityPolicy(),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
});

/** Every response has these, whoever writes it later: Fastify, or the forwarder that answers past it. */
export function setStrictHeaders(response: ServerResponse): void {
  for (const [name, value] of strictHeaders) response.setHeader(name, value);
}
