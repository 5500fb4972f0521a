import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';

export const createSecret = (): string => prefix + randomBytes(32).toString('base64');

/** The headers of Standard Webhooks (standardwebhooks.com), for which libraries in many languages verify the signature. */
export function signedHeaders(secret: string, id: string, time: number, body: string): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,${hmac(secret, `${id}.${time}.${body}`).toString('base64')}`,
  };
}

/** The field `token` of Zulip's outgoing webhooks. It reveals nothing of the secret. */
export const tokenOf = (secret: string): string => hmac(secret, 'token').toString('base64url');

function hmac(secret: string, text: string): Buffer {
  return createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(text)
    .digest();
}
