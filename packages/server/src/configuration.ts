import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { authModes } from '@engawa/protocol/product';
import { isEmailAddress, type RateLimits } from '@engawa/chat-server/parts';
import { defaultRateLimits } from '@engawa/protocol';
import { z } from 'zod';
import { Failure } from './log/failure.ts';
import { type LogLevel, logLevels } from './log/log.ts';
import { type AccessSettings, isLoopback } from './security/hosts.ts';
import { type Trust, trustIn } from './security/proxies.ts';
import { type TlsFiles, certificatesOf, tlsFiles } from './security/tls.ts';

export interface Configuration extends AccessSettings {
  /** With 0 the system picks a free port. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly maxFileSize: number;
  readonly tls: TlsFiles | undefined;
  readonly trusts: Trust;
  /** Whether a proxy before the product may speak https. */
  readonly hasProxy: boolean;
  /** Calls of the chat API per member and minute; half as many with each refused key. */
  readonly rateLimit: number | 'none';
  readonly logLevel: LogLevel;
  /** Undefined: only programs on this machine may read the metrics. */
  readonly metricsToken: string | undefined;
  readonly mail: MailSettings | undefined;
  readonly fakeSignInExposed: boolean;
  /** Undefined if the operator has turned calls off. */
  readonly calls: CallSettings | undefined;
  /** The Zulip server behind the product; undefined: the embedded chat server. */
  readonly zulip: ZulipSettings | undefined;
}

export interface ZulipSettings {
  /** Its origin: https, or http on this machine. */
  readonly site: string;
  /** PEM: the only certificates that may have signed that of the site; undefined: those that Node trusts. */
  readonly certificates: string | undefined;
  /** The former address of the same server, if the operator says that it has changed. */
  readonly siteBefore: string | undefined;
}

export interface CallSettings {
  readonly turn: TurnSettings | undefined;
  /** Undefined if the server forwards no media. */
  readonly forwarding: ForwardingSettings | undefined;
  /** Undefined without a LiveKit server. */
  readonly livekit: LivekitSettings | undefined;
  /** No call between browsers: all go through this server or LiveKit. */
  readonly throughServer: boolean;
}

interface ForwardingSettings {
  readonly port: number;
  /** The address that browsers reach, if it is not one of the machine. */
  readonly address: string | undefined;
}

export interface LivekitSettings {
  /** Its origin as browsers open it: ws or wss. */
  readonly url: string;
  readonly key: string;
  readonly secret: string;
}

export interface TurnSettings {
  readonly urls: readonly string[];
  readonly secret: string;
}

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte. False: STARTTLS if offered, and always with a password. */
  readonly secure: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: { readonly name: string; readonly address: string };
}

export class ConfigurationError extends Failure {
  override readonly name = 'ConfigurationError';

  constructor(setting: string, value: string, allowed: BilingualText) {
    const given = `${setting}=${secret.has(setting) ? '…' : JSON.stringify(value)}`;
    super(
      `起動できません: ${given} は使えません。使える値: ${allowed.ja}`,
      `Cannot start: ${given} is not allowed. Allowed: ${allowed.en}`,
    );
  }
}

const secret: ReadonlySet<string> = new Set(['SMTP_URL', 'TURN_SECRET', 'LIVEKIT_SECRET', 'METRICS_TOKEN']);

interface BilingualText {
  readonly ja: string;
  readonly en: string;
}

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

const path = z.string().refine((given) => !given.includes('\0'));

/** RFC 7065, without IPv6 zones: turn or turns, a host, and optionally a port and a transport. */
const turnUrl = /^turns?:(?:[a-z0-9.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?$/i;

const settings = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.int().max(65_535))
    .default(8080),
  HOST: z
    .string()
    .refine((host) => isIP(host) !== 0 || hostName.test(host))
    .default('127.0.0.1'),
  DATA_DIR: path.default('./data'),
  AUTH_MODE: z.enum(authModes).optional(),
  MAX_FILE_SIZE: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(Number)
    .default(100 * 1024 * 1024),
  RATE_LIMIT: z
    .union([
      z.literal('none'),
      z
        .string()
        .regex(/^[1-9]\d{0,6}$/)
        .transform(Number),
    ])
    .default(defaultRateLimits.member.calls),
  LOG_LEVEL: z.enum(logLevels).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,200}$/)
    .optional(),
  FAKE_AUTH_BEYOND_LOOPBACK: z.enum(['yes', 'no']).default('no'),
  ALLOWED_HOSTS: z
    .string()
    .transform((names) => names.split(',').map((name) => name.trim().toLowerCase()))
    .pipe(z.array(z.string().regex(hostName)))
    .default([]),
  PUBLIC_URL: z
    .string()
    .refine(isAddress)
    .transform((address) => new URL(address).origin)
    .optional(),
  TLS_CERT: path.optional(),
  TLS_KEY: path.optional(),
  TRUSTED_PROXY: z
    .string()
    .transform((proxies) => trustIn(proxies.split(',').map((proxy) => proxy.trim())))
    .refine((trust) => trust !== undefined)
    .optional(),
  INSECURE_HTTP: z.enum(['yes', 'no']).default('no'),
  SMTP_URL: z
    .string()
    .transform(mailServerOf)
    .refine((server) => server !== undefined)
    .optional(),
  MAIL_FROM: z
    .string()
    .transform(senderOf)
    .refine((sender) => sender !== undefined)
    .optional(),
  CALLS: z.enum(['on', 'off']).default('on'),
  TURN_URL: z
    .string()
    .transform((urls) => urls.split(',').map((url) => url.trim()))
    .pipe(z.array(z.string().regex(turnUrl)).max(8))
    .optional(),
  TURN_SECRET: z.string().min(8).max(1000).optional(),
  CALLS_UDP_PORT: z
    .string()
    .regex(/^[1-9]\d{0,4}$/)
    .transform(Number)
    .pipe(z.int().max(65_535))
    .optional(),
  CALLS_ADDRESS: z
    .string()
    .refine((address) => isIP(address) !== 0)
    .optional(),
  CALLS_THROUGH_SERVER: z.enum(['yes', 'no']).default('no'),
  LIVEKIT_URL: z
    .string()
    .transform((address) => address.replace(/^http/i, 'ws'))
    .refine((address) => isOrigin(address, /^wss?:$/))
    .transform((address) => new URL(address).origin)
    .optional(),
  LIVEKIT_KEY: z
    .string()
    .regex(/^\S{1,200}$/)
    .optional(),
  // LiveKit reports shorter ones as an error.
  LIVEKIT_SECRET: z.string().min(32).max(1000).optional(),
  ZULIP_SITE: z
    .string()
    .refine(isZulipSite)
    .transform((address) => new URL(address).origin)
    .optional(),
  ZULIP_CA: path.optional(),
  ZULIP_SITE_BEFORE: z
    .string()
    .refine(isZulipSite)
    .transform((address) => new URL(address).origin)
    .optional(),
});
type Setting = keyof z.output<typeof settings>;

const allowed: Readonly<Record<Setting, BilingualText>> = {
  PORT: { ja: '0 から 65535 の整数', en: 'a whole number from 0 to 65535' },
  HOST: { ja: 'IP アドレスまたはホスト名', en: 'an IP address or a host name' },
  DATA_DIR: { ja: 'ディレクトリのパス', en: 'the path of a directory' },
  AUTH_MODE: { ja: authModes.join(', '), en: authModes.join(', ') },
  MAX_FILE_SIZE: { ja: '1 以上の整数（バイト、15 桁まで）', en: 'a whole number of bytes, at least 1, with at most 15 digits' },
  RATE_LIMIT: { ja: '1 分あたりの回数（1 以上の整数）、none', en: 'calls per minute, a whole number of at least 1, or none' },
  LOG_LEVEL: { ja: logLevels.join(', '), en: logLevels.join(', ') },
  METRICS_TOKEN: {
    ja: '16 から 200 文字の英数字と記号（値は表示しません）',
    en: '16 to 200 ASCII letters, digits and signs (its value is not shown)',
  },
  FAKE_AUTH_BEYOND_LOOPBACK: { ja: 'yes, no', en: 'yes, no' },
  SMTP_URL: {
    ja: 'smtp://ホスト名、smtp://ユーザー:パスワード@ホスト名:ポート、TLS なら smtps://（値は表示しません）',
    en: 'smtp://host, smtp://user:password@host:port, or smtps:// for TLS (its value is not shown)',
  },
  MAIL_FROM: {
    ja: 'メールアドレス、または 名前 <メールアドレス>。SMTP_URL と一緒に指定してください',
    en: 'an email address, or Name <address>; required with SMTP_URL',
  },
  ALLOWED_HOSTS: { ja: 'コンマ区切りのホスト名（ポートなし）', en: 'host names separated by commas, without ports' },
  PUBLIC_URL: {
    ja: 'https://chat.example.com のような、パスのないアドレス',
    en: 'an address without a path, such as https://chat.example.com',
  },
  TLS_CERT: { ja: 'PEM ファイルのパス（TLS_KEY とともに）', en: 'the path of a PEM file, together with TLS_KEY' },
  TLS_KEY: { ja: 'PEM ファイルのパス（TLS_CERT とともに）', en: 'the path of a PEM file, together with TLS_CERT' },
  TRUSTED_PROXY: {
    ja: 'コンマ区切りの IP アドレスまたはネットワーク（10.0.0.0/8 など）',
    en: 'IP addresses or networks such as 10.0.0.0/8, separated by commas',
  },
  INSECURE_HTTP: { ja: 'yes, no', en: 'yes, no' },
  CALLS: { ja: 'on, off', en: 'on, off' },
  TURN_URL: {
    ja: 'turn:turn.example.com:3478 のような TURN サーバーのアドレス（コンマ区切りで 8 個まで）。TURN_SECRET と一緒に指定してください',
    en: 'addresses of TURN servers, such as turn:turn.example.com:3478, separated by commas (at most 8); required with TURN_SECRET',
  },
  TURN_SECRET: {
    ja: 'TURN サーバーの static-auth-secret（8 文字以上、値は表示しません）。TURN_URL と一緒に指定してください',
    en: 'the static-auth-secret of the TURN server, at least 8 characters (its value is not shown); required with TURN_URL',
  },
  CALLS_UDP_PORT: { ja: '1 から 65535 の整数', en: 'a whole number from 1 to 65535' },
  CALLS_ADDRESS: { ja: 'IP アドレス', en: 'an IP address' },
  CALLS_THROUGH_SERVER: {
    ja: 'yes, no。yes なら CALLS_UDP_PORT または LIVEKIT_URL も',
    en: 'yes, no; yes requires CALLS_UDP_PORT or LIVEKIT_URL',
  },
  LIVEKIT_URL: {
    ja: 'wss://livekit.example.com のような、LiveKit サーバーのパスのないアドレス。LIVEKIT_KEY、LIVEKIT_SECRET と一緒に指定してください',
    en:
      'the address of a LiveKit server without a path, such as wss://livekit.example.com; ' +
      'required with LIVEKIT_KEY and LIVEKIT_SECRET',
  },
  LIVEKIT_KEY: {
    ja: 'LiveKit サーバーの API キー（空白なし）。LIVEKIT_URL、LIVEKIT_SECRET と一緒に指定してください',
    en: 'the API key of the LiveKit server, without spaces; required with LIVEKIT_URL and LIVEKIT_SECRET',
  },
  LIVEKIT_SECRET: {
    ja: 'LIVEKIT_KEY の秘密（32 文字以上、値は表示しません）。LIVEKIT_URL、LIVEKIT_KEY と一緒に指定してください',
    en: 'the secret of LIVEKIT_KEY, at least 32 characters (its value is not shown); required with LIVEKIT_URL and LIVEKIT_KEY',
  },
  ZULIP_SITE: {
    ja: 'https://chat.example.com のような、Zulip サーバーのパスのない https のアドレス。http はこの機械（127.0.0.1 など）だけ',
    en: 'the https address of a Zulip server without a path, such as https://chat.example.com; http only for this machine',
  },
  ZULIP_CA: {
    ja: 'ZULIP_SITE の証明書に署名した認証局の、PEM ファイルのパス（https の ZULIP_SITE とともに）',
    en: 'the path of a PEM file with the authority that signed the certificate of ZULIP_SITE; requires ZULIP_SITE with https',
  },
  ZULIP_SITE_BEFORE: {
    ja: '同じ Zulip サーバーの以前のアドレス（ZULIP_SITE とともに）',
    en: 'the former address of the same Zulip server; requires ZULIP_SITE',
  },
};

const noFakeMembers: BilingualText = {
  ja: 'ZULIP_SITE と一緒なら password（メンバーは Zulip のパスワードでサインインします）',
  en: 'with ZULIP_SITE password, because members sign in with their Zulip passwords',
};

const loopbackOnly: BilingualText = {
  ja: 'AUTH_MODE=fake の間は 127.0.0.1 などのループバック。外に開くなら FAKE_AUTH_BEYOND_LOOPBACK=yes を指定してください',
  en: 'with AUTH_MODE=fake a loopback address such as 127.0.0.1; to open it set FAKE_AUTH_BEYOND_LOOPBACK=yes',
};

const encryptedOnly: BilingualText = {
  ja:
    'パスワードを暗号化せずにネットワークへ流さないよう、TLS_CERT と TLS_KEY、または TRUSTED_PROXY を指定してください。' +
    '127.0.0.1 で待ち受けるか、承知のうえなら INSECURE_HTTP=yes を指定します',
  en:
    'so that no password goes over the network unencrypted, set TLS_CERT and TLS_KEY, or TRUSTED_PROXY; ' +
    'or listen at 127.0.0.1; or, knowing what it means, set INSECURE_HTTP=yes',
};

const https: BilingualText = {
  ja: 'https のアドレスは、TLS_CERT と TLS_KEY、または TRUSTED_PROXY とともに使えます',
  en: 'an https address requires TLS_CERT and TLS_KEY, or TRUSTED_PROXY',
};

const leadingSomewhere: BilingualText = {
  ja: 'メールのリンクの行き先になるアドレス（https://chat.example.com など）。SMTP_URL と一緒に指定してください',
  en: 'the address for links in mails, such as https://chat.example.com; required with SMTP_URL',
};

export const settingNames = settings.keyof();

/** The settings in this environment, of secret ones only whether they are set. Other variables are left out. */
export function settingsWithoutSecrets(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const given = settingNames.options.flatMap((name) => {
    const value = environment[name];
    // LIVEKIT_KEY belongs to the credentials too.
    const isHidden = secret.has(name) || name === 'LIVEKIT_KEY';
    return value ? [[name, isHidden ? '…' : value] as const] : [];
  });
  return Object.fromEntries(given);
}

/** Does not validate the other variables, so that commands find the data in an invalid environment too. */
export const dataDirectoryOf = ({ DATA_DIR }: Readonly<Record<string, string | undefined>>): string =>
  resolve(DATA_DIR || './data');

/** Empty variables count as unset. @throws ConfigurationError */
export function configurationOf(environment: Readonly<Record<string, string | undefined>>): Configuration {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = settings.safeParse(given);
  if (!parsed.success) {
    const setting = settingNames.parse(parsed.error.issues[0]?.path[0]);
    throw new ConfigurationError(setting, given[setting] ?? '', allowed[setting]);
  }
  const { PORT, HOST, DATA_DIR, MAX_FILE_SIZE, RATE_LIMIT, FAKE_AUTH_BEYOND_LOOPBACK, ALLOWED_HOSTS, SMTP_URL, MAIL_FROM } =
    parsed.data;
  const { PUBLIC_URL, TLS_CERT, TLS_KEY, TRUSTED_PROXY, INSECURE_HTTP } = parsed.data;
  const zulip = zulipSettingsOf(parsed.data);
  const AUTH_MODE = parsed.data.AUTH_MODE ?? (zulip ? 'password' : 'fake');
  if ((SMTP_URL === undefined) !== (MAIL_FROM === undefined)) {
    throw new ConfigurationError('MAIL_FROM', given['MAIL_FROM'] ?? '', allowed.MAIL_FROM);
  }
  // Links in mails are opened on other machines, where the address that the product listens at may lead elsewhere.
  if (SMTP_URL !== undefined && PUBLIC_URL === undefined) {
    throw new ConfigurationError('PUBLIC_URL', '', leadingSomewhere);
  }
  requireTogether(['TURN_URL', 'TURN_SECRET'], given);
  requireTogether(['LIVEKIT_URL', 'LIVEKIT_KEY', 'LIVEKIT_SECRET'], given);
  const { CALLS_UDP_PORT, CALLS_THROUGH_SERVER, LIVEKIT_URL } = parsed.data;
  if (CALLS_THROUGH_SERVER === 'yes' && CALLS_UDP_PORT === undefined && LIVEKIT_URL === undefined) {
    throw new ConfigurationError('CALLS_THROUGH_SERVER', CALLS_THROUGH_SERVER, allowed.CALLS_THROUGH_SERVER);
  }
  const exposed = AUTH_MODE === 'fake' && !isLoopback(HOST);
  // With the fake sign-in everybody who can connect can act as any member.
  if (exposed && FAKE_AUTH_BEYOND_LOOPBACK !== 'yes') throw new ConfigurationError('HOST', HOST, loopbackOnly);
  if (TLS_CERT === undefined && TLS_KEY !== undefined) throw new ConfigurationError('TLS_CERT', '', allowed.TLS_CERT);
  if (TLS_KEY === undefined && TLS_CERT !== undefined) throw new ConfigurationError('TLS_KEY', '', allowed.TLS_KEY);
  const tls = TLS_CERT === undefined || TLS_KEY === undefined ? undefined : tlsFiles(resolve(TLS_CERT), resolve(TLS_KEY));
  const isEncrypted = tls !== undefined || TRUSTED_PROXY !== undefined;
  // An unnamed https proxy would look like one client over http, so its members would share one rate limit.
  if (PUBLIC_URL?.startsWith('https:') && !isEncrypted) throw new ConfigurationError('PUBLIC_URL', PUBLIC_URL, https);
  if (AUTH_MODE === 'password' && !isLoopback(HOST) && !isEncrypted && INSECURE_HTTP !== 'yes') {
    throw new ConfigurationError('HOST', HOST, encryptedOnly);
  }
  return {
    port: PORT,
    host: HOST,
    dataDirectory: resolve(DATA_DIR),
    authMode: AUTH_MODE,
    maxFileSize: MAX_FILE_SIZE,
    rateLimit: RATE_LIMIT,
    allowedHosts: [...ALLOWED_HOSTS, ...(PUBLIC_URL === undefined ? [] : [hostOf(PUBLIC_URL)])],
    publicUrl: PUBLIC_URL,
    tls,
    trusts: TRUSTED_PROXY ?? (() => false),
    hasProxy: TRUSTED_PROXY !== undefined,
    insecureHttp: INSECURE_HTTP === 'yes',
    // Someone who tries the demo reads the address in the terminal; a line for each call would hide it.
    logLevel: parsed.data.LOG_LEVEL ?? (AUTH_MODE === 'fake' ? 'warn' : 'info'),
    mail: SMTP_URL && MAIL_FROM && { ...SMTP_URL, from: MAIL_FROM },
    metricsToken: parsed.data.METRICS_TOKEN,
    fakeSignInExposed: exposed,
    calls: callSettingsOf(parsed.data),
    zulip,
  };
}

/** @throws ConfigurationError; Failure for a file that cannot be read. */
function zulipSettingsOf(given: z.output<typeof settings>): ZulipSettings | undefined {
  const { ZULIP_SITE: site, ZULIP_CA, ZULIP_SITE_BEFORE: siteBefore, AUTH_MODE } = given;
  if (site === undefined && siteBefore !== undefined) {
    throw new ConfigurationError('ZULIP_SITE_BEFORE', siteBefore, allowed.ZULIP_SITE_BEFORE);
  }
  if (ZULIP_CA !== undefined && !site?.startsWith('https:')) throw new ConfigurationError('ZULIP_CA', ZULIP_CA, allowed.ZULIP_CA);
  if (site === undefined) return undefined;
  if (AUTH_MODE === 'fake') throw new ConfigurationError('AUTH_MODE', AUTH_MODE, noFakeMembers);
  return { site, certificates: ZULIP_CA === undefined ? undefined : certificatesOf('ZULIP_CA', resolve(ZULIP_CA)), siteBefore };
}

/** @throws ConfigurationError for the first missing one, if another is given. */
function requireTogether(names: readonly Setting[], given: Readonly<Record<string, unknown>>): void {
  const missing = names.filter((name) => given[name] === undefined);
  const [first] = missing;
  if (first !== undefined && missing.length < names.length) throw new ConfigurationError(first, '', allowed[first]);
}

function callSettingsOf(given: z.output<typeof settings>): CallSettings | undefined {
  const { CALLS, TURN_URL, TURN_SECRET, CALLS_UDP_PORT: port, CALLS_ADDRESS: address, CALLS_THROUGH_SERVER } = given;
  const { LIVEKIT_URL: url, LIVEKIT_KEY: key, LIVEKIT_SECRET: livekitSecret } = given;
  if (CALLS === 'off') return undefined;
  return {
    turn: TURN_URL && TURN_SECRET ? { urls: TURN_URL, secret: TURN_SECRET } : undefined,
    forwarding: port === undefined ? undefined : { port, address },
    livekit: url && key && livekitSecret ? { url, key, secret: livekitSecret } : undefined,
    throughServer: CALLS_THROUGH_SERVER === 'yes',
  };
}

function mailServerOf(text: string): Omit<MailSettings, 'from'> | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const secure = protocol === 'smtps:';
  if ((!secure && protocol !== 'smtp:') || hostname === '' || !['', '/'].includes(pathname) || search + hash !== '') {
    return undefined;
  }
  // 587 is the port for clients; port 25 is for mail between mail servers.
  const usualPort = secure ? 465 : 587;
  const [user, secretWord] = [decoded(username), decoded(password)];
  if (user === undefined || secretWord === undefined) return undefined;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usualPort : Number(port),
    secure,
    user: user === '' ? undefined : user,
    password: secretWord === '' ? undefined : secretWord,
  };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

const sender = /^(?:(?<name>[^<>"\p{C}]*)<(?<inBrackets>[^<>\s]+)>|(?<alone>[^<>\s]+))$/u;

function senderOf(text: string): MailSettings['from'] | undefined {
  const { name = '', inBrackets, alone } = sender.exec(text.trim())?.groups ?? {};
  const address = inBrackets ?? alone;
  return address !== undefined && isEmailAddress(address) ? { name: name.trim(), address } : undefined;
}

export function rateLimitsOf({ rateLimit }: Configuration): RateLimits | 'none' {
  if (rateLimit === 'none') return 'none';
  const seconds = 60;
  return { member: { calls: rateLimit, seconds }, refusedKey: { calls: Math.ceil(rateLimit / 2), seconds } };
}

function isAddress(address: string): boolean {
  return isOrigin(address, /^https?:$/);
}

function isOrigin(address: string, protocols: RegExp): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, pathname, search, hash, username, password } = new URL(address);
  return protocols.test(protocol) && pathname === '/' && search + hash + username + password === '';
}

/** Members' passwords go there, so http is allowed only on this machine. */
function isZulipSite(address: string): boolean {
  return isOrigin(address, /^https:$/) || (isOrigin(address, /^http:$/) && isLoopback(hostOf(address)));
}

function hostOf(address: string): string {
  return new URL(address).hostname.replace(/^\[|\]$/g, '');
}

export function isEveryAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

/** Returns the address for a browser on this machine, also if the server listens at all addresses. */
export function addressOf(host: string, port: number, secure = false): string {
  const name = isEveryAddress(host) ? '127.0.0.1' : host;
  return `${secure ? 'https' : 'http'}://${isIP(name) === 6 ? `[${name}]` : name}:${port}`;
}
