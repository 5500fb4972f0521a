import { createHmac } from 'node:crypto';
import type { LivekitSettings } from '../../configuration.ts';

/** The grants of a token (docs.livekit.io, "Tokens & grants"). */
export interface Grants {
  readonly room?: string;
  readonly roomJoin?: boolean;
  readonly roomAdmin?: boolean;
  readonly roomCreate?: boolean;
  readonly roomList?: boolean;
  readonly canPublish?: boolean;
  readonly canPublishData?: boolean;
  readonly canPublishSources?: readonly ('microphone' | 'camera' | 'screen_share')[];
  readonly canSubscribe?: boolean;
}

export interface TokenContent {
  readonly grants: Grants;
  /** Seconds since 1970, and seconds of validity. */
  readonly from: number;
  readonly seconds: number;
  /** Of a participant. */
  readonly identity?: string;
  readonly name?: string;
}

/** A JSON Web Token with HMAC-SHA256 (RFC 7515, RFC 7519). */
export function signToken(
  { key, secret }: Pick<LivekitSettings, 'key' | 'secret'>,
  { grants, from, seconds, identity, name }: TokenContent,
): string {
  const claims = {
    iss: key,
    ...(identity !== undefined && { sub: identity }),
    ...(name !== undefined && { name }),
    nbf: from,
    exp: from + seconds,
    video: grants,
  };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map((part) => encoded(JSON.stringify(part))).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const encoded = (text: string): string => Buffer.from(text).toString('base64url');
