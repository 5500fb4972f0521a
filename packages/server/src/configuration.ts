import { isIP, isIPv4 } from 'node:net';
import { resolve } from 'node:path';
import { type AuthMode, authModes } from '@engawa/protocol/product';
import type { RateLimits } from '@engawa/chat-server';
import { usualRateLimits } from '@engawa/protocol';
import { z } from 'zod';

export interface Configuration {
  /** 0 takes any port that is free. */
  readonly port: number;
  /** The address or name to bind to. */
  readonly host: string;
  /** An absolute path. */
  readonly dataDirectory: string;
  readonly authMode: AuthMode;
  /** Bytes. */
  readonly maxFileSize: number;
  /** Names under which the product is reached, beside loopback, in lower case. */
  readonly allowedHosts: readonly string[];
  /** Calls of the chat API that one member may make in a minute; half as many from an address without credentials. */
  readonly rateLimit: number | 'none';
  /** Fake sign-in is open to other machines, because somebody said so. */
  readonly fakeSignInExposed: boolean;
}

/** A setting that cannot be used. Its message is one line for the person who starts the product. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(setting: string, value: string, allowed: Words) {
    super(
      `起動できません: ${setting}=${JSON.stringify(value)} は使えません。使える値: ${allowed.ja}`
        + ` / Cannot start: ${setting}=${JSON.stringify(value)} is not allowed. Allowed: ${allowed.en}`,
    );
  }
}

interface Words {
  readonly ja: string;
  readonly en: string;
}

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const settings = z.object({
  PORT: z.string().regex(/^\d{1,5}$/).transform(Number).pipe(z.int().max(65_535)).default(8080),
  HOST: z.string().refine((host) => isIP(host) !== 0 || hostName.test(host)).default('127.0.0.1'),
  DATA_DIR: z.string().refine((path) => !path.includes('\0')).default('./data'),
  AUTH_MODE: z.enum(authModes).default('fake'),
  MAX_FILE_SIZE: z.string().regex(/^[1-9]\d{0,14}$/).transform(Number).default(100 * 1024 * 1024),
  RATE_LIMIT: z
    .union([z.literal('none'), z.string().regex(/^[1-9]\d{0,6}$/).transform(Number)])
    .default(usualRateLimits.member.calls),
  FAKE_AUTH_BEYOND_LOOPBACK: z.enum(['yes', 'no']).default('no'),
  ALLOWED_HOSTS: z
    .string()
    .transform((names) => names.split(',').map((name) => name.trim().toLowerCase()))
    .pipe(z.array(z.string().regex(hostName)))
    .default([]),
});
type Setting = keyof z.output<typeof settings>;

const allowed: Readonly<Record<Setting, Words>> = {
  PORT: { ja: '0 から 65535 の整数', en: 'a whole number from 0 to 65535' },
  HOST: { ja: 'IP アドレスまたはホスト名', en: 'an IP address or a host name' },
  DATA_DIR: { ja: 'ディレクトリのパス', en: 'the path of a directory' },
  AUTH_MODE: { ja: authModes.join(', '), en: authModes.join(', ') },
  MAX_FILE_SIZE: { ja: '1 以上の整数（バイト、15 桁まで）', en: 'a whole number of bytes from 1, of at most 15 digits' },
  RATE_LIMIT: { ja: '1 分あたりの回数（1 以上の整数）、none', en: 'calls a minute, a whole number from 1, or none' },
  FAKE_AUTH_BEYOND_LOOPBACK: { ja: 'yes, no', en: 'yes, no' },
  ALLOWED_HOSTS: { ja: 'コンマ区切りのホスト名（ポートなし）', en: 'host names separated by commas, without ports' },
};

const loopbackOnly: Words = {
  ja: 'AUTH_MODE=fake の間は 127.0.0.1 などのループバック。外に開くなら FAKE_AUTH_BEYOND_LOOPBACK=yes を指定してください',
  en: 'with AUTH_MODE=fake a loopback address such as 127.0.0.1; to open it set FAKE_AUTH_BEYOND_LOOPBACK=yes',
};

const settingNames = settings.keyof();

/**
 * The configuration that an environment asks for. A setting that is empty counts as not set.
 * @throws ConfigurationError naming the first setting that cannot be used.
 */
export function configurationOf(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const setting = settingNames.parse(parsed.error.issues[0]?.path[0]);
    throw new ConfigurationError(setting, given[setting] ?? '', allowed[setting]);
  }
  const { PORT, HOST, DATA_DIR, AUTH_MODE, MAX_FILE_SIZE, RATE_LIMIT, FAKE_AUTH_BEYOND_LOOPBACK, ALLOWED_HOSTS } =
    parsed.data;
  const exposed = AUTH_MODE === 'fake' && !isLoopback(HOST);
  // Whoever reaches a fake sign-in is whom they say they are (R1.6).
  if (exposed && FAKE_AUTH_BEYOND_LOOPBACK !== 'yes') throw new ConfigurationError('HOST', HOST, loopbackOnly);
  return {
    port: PORT,
    host: HOST,
    dataDirectory: resolve(DATA_DIR),
    authMode: AUTH_MODE,
    maxFileSize: MAX_FILE_SIZE,
    rateLimit: RATE_LIMIT,
    allowedHosts: ALLOWED_HOSTS,
    fakeSignInExposed: exposed,
  };
}

export function rateLimitsOf({ rateLimit }: Configuration): RateLimits | 'none' {
  if (rateLimit === 'none') return 'none';
  const seconds = 60;
  return { member: { calls: rateLimit, seconds }, address: { calls: Math.ceil(rateLimit / 2), seconds } };
}

/** Whether an address or name (without brackets) reaches this machine alone. */
export function isLoopback(host: string): boolean {
  return host.toLowerCase() === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** The address to type into a browser on this machine. */
export function addressOf({ host, port }: Pick<Configuration, 'host' | 'port'>): string {
  const anywhere = host === '0.0.0.0' || host === '::';
  const name = anywhere ? '127.0.0.1' : host;
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}
