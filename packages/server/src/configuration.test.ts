import { describe, expect, it } from 'vitest';
import { addressOf, ConfigurationError, configurationOf } from './configuration.ts';

const livekitSecret = 'a-secret-of-thirty-two-characters';
const livekit = { LIVEKIT_URL: 'ws://127.0.0.1:7880', LIVEKIT_KEY: 'APIkey', LIVEKIT_SECRET: livekitSecret };

describe('configuration', () => {
  it('[R1.5] The configuration has a default for every setting, and the default sign-in is the fake one', () => {
    expect(configurationOf({})).toEqual({
      port: 8080,
      host: '127.0.0.1',
      dataDirectory: `${process.cwd()}/data`,
      authMode: 'fake',
      maxFileSize: 104_857_600,
      rateLimit: 200,
      allowedHosts: [],
      logLevel: 'warn',
      mail: undefined,
      fakeSignInExposed: false,
      publicUrl: undefined,
      tls: undefined,
      trusts: expect.any(Function),
      hasProxy: false,
      insecureHttp: false,
      calls: { turn: undefined, forwarding: undefined, livekit: undefined, throughServer: false },
    });
  });

  it('The configuration reads each setting from an environment variable, and treats an empty variable as unset', () => {
    const environment = {
      PORT: '0',
      HOST: '::1',
      DATA_DIR: '/srv/engawa',
      AUTH_MODE: 'fake',
      MAX_FILE_SIZE: '1',
      RATE_LIMIT: 'none',
      LOG_LEVEL: 'debug',
      METRICS_TOKEN: 'token-of-prometheus',
      ALLOWED_HOSTS: 'Chat.Example.com, engawa',
      FAKE_AUTH_BEYOND_LOOPBACK: '',
      PUBLIC_URL: 'https://Team.Example.com/',
      TRUSTED_PROXY: '10.0.0.0/8, ::1',
      INSECURE_HTTP: 'yes',
      TLS_CERT: '/etc/engawa/certificate.pem',
      TLS_KEY: '/etc/engawa/key.pem',
      TURN_URL: 'turn:turn.example.com:3478, turns:[2001:db8::1]?transport=tcp',
      TURN_SECRET: 'turn-secret',
      CALLS_UDP_PORT: '40000',
      CALLS_ADDRESS: '192.0.2.7',
      CALLS_THROUGH_SERVER: 'yes',
      LIVEKIT_URL: 'https://LiveKit.Example.com/',
      LIVEKIT_KEY: 'APIkey',
      LIVEKIT_SECRET: livekitSecret,
    };
    expect(configurationOf(environment)).toEqual({
      port: 0,
      host: '::1',
      dataDirectory: '/srv/engawa',
      authMode: 'fake',
      maxFileSize: 1,
      rateLimit: 'none',
      metricsToken: 'token-of-prometheus',
      allowedHosts: ['chat.example.com', 'engawa', 'team.example.com'],
      logLevel: 'debug',
      mail: undefined,
      fakeSignInExposed: false,
      publicUrl: 'https://team.example.com',
      tls: { read: expect.any(Function) },
      trusts: expect.any(Function),
      hasProxy: true,
      insecureHttp: true,
      calls: {
        turn: { urls: ['turn:turn.example.com:3478', 'turns:[2001:db8::1]?transport=tcp'], secret: 'turn-secret' },
        forwarding: { port: 40_000, address: '192.0.2.7' },
        livekit: { url: 'wss://livekit.example.com', key: 'APIkey', secret: livekitSecret },
        throughServer: true,
      },
    });
  });

  it('[R2.10] With CALLS=off the configuration has no settings of calls', () => {
    expect(configurationOf({ CALLS: 'off' }).calls).toBeUndefined();
  });

  it.each([
    ['TURN_URL', { TURN_SECRET: 'turn-secret' }],
    ['TURN_SECRET', { TURN_URL: 'turn:turn.example.com' }],
  ])('[R2.10] The server does not start when %s is missing beside the other setting of TURN', (missing, environment) => {
    expect(() => configurationOf(environment)).toThrow(missing);
  });

  it('[R2.10] The server does not start when no call may go between browsers and it has neither a port for calls nor LiveKit', () => {
    expect(() => configurationOf({ CALLS_THROUGH_SERVER: 'yes' })).toThrow('CALLS_UDP_PORT');
    expect(configurationOf({ CALLS_THROUGH_SERVER: 'yes', ...livekit }).calls).toMatchObject({
      throughServer: true,
      livekit: { url: 'ws://127.0.0.1:7880' },
    });
  });

  it.each(['LIVEKIT_URL', 'LIVEKIT_KEY', 'LIVEKIT_SECRET'])(
    '[R2.10] The server does not start when %s is missing beside the other settings of LiveKit',
    (missing) => {
      expect(refusalOf({ ...livekit, [missing]: '' })).toContain(`${missing}=`);
    },
  );

  it('[R2.10] The server does not start with a short LIVEKIT_SECRET, and the error does not show it', () => {
    const refusal = refusalOf({ ...livekit, LIVEKIT_SECRET: 'hunter2' });
    expect(refusal).toMatch(/LIVEKIT_SECRET=… .*at least 32 characters/);
    expect(refusal).not.toContain('hunter2');
  });

  it('The server does not start with a METRICS_TOKEN that can be guessed, and the error does not show it', () => {
    expect(() => configurationOf({ METRICS_TOKEN: 'hunter2' })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^(?!.*hunter2).*METRICS_TOKEN=…/s) }),
    );
  });

  it('[R2.10] The server does not start with a short TURN_SECRET, and the error does not show it', () => {
    expect(() => configurationOf({ TURN_URL: 'turn:turn.example.com', TURN_SECRET: 'hunter2' })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^(?!.*hunter2).*TURN_SECRET=…/s) }),
    );
  });

  it.each([
    ['PORT', 'abc', 'a whole number from 0 to 65535'],
    ['PORT', '-1', 'a whole number from 0 to 65535'],
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '80.5', 'a whole number from 0 to 65535'],
    ['PORT', ' 8080', 'a whole number from 0 to 65535'],
    ['RATE_LIMIT', '0', 'calls per minute'],
    ['HOST', 'not a host', 'an IP address or a host name'],
    ['HOST', '[::1]', 'an IP address or a host name'],
    ['DATA_DIR', 'a\0b', 'the path of a directory'],
    ['AUTH_MODE', 'none', 'fake, password'],
    ['AUTH_MODE', 'Fake', 'fake'],
    ['LOG_LEVEL', 'all', 'error, warn, info, debug'],
    ['MAX_FILE_SIZE', '0', 'a whole number of bytes, at least 1'],
    ['MAX_FILE_SIZE', '100MB', 'a whole number of bytes, at least 1'],
    ['MAX_FILE_SIZE', '1e9', 'a whole number of bytes, at least 1'],
    ['FAKE_AUTH_BEYOND_LOOPBACK', 'true', 'yes, no'],
    ['ALLOWED_HOSTS', 'chat.example.com:8080', 'host names separated by commas'],
    ['ALLOWED_HOSTS', 'a,,b', 'host names separated by commas'],
    ['CALLS', 'yes', 'on, off'],
    ['CALLS_UDP_PORT', '0', 'a whole number from 1 to 65535'],
    ['CALLS_UDP_PORT', '70000', 'a whole number from 1 to 65535'],
    ['CALLS_ADDRESS', 'chat.example.com', 'an IP address'],
    ['TURN_URL', 'https://turn.example.com', 'addresses of TURN servers'],
    ['TURN_URL', 'stun:turn.example.com', 'addresses of TURN servers'],
    ['LIVEKIT_URL', 'livekit.example.com', 'the address of a LiveKit server'],
    ['LIVEKIT_URL', 'wss://livekit.example.com/rtc', 'the address of a LiveKit server'],
    ['LIVEKIT_URL', 'turn:livekit.example.com', 'the address of a LiveKit server'],
    ['LIVEKIT_KEY', 'a key', 'the API key of the LiveKit server'],
    ['PUBLIC_URL', 'chat.example.com', 'an address without a path'],
    ['PUBLIC_URL', 'ftp://chat.example.com', 'an address without a path'],
    ['PUBLIC_URL', 'http://chat.example.com/engawa', 'an address without a path'],
    ['PUBLIC_URL', 'http://me:secret@chat.example.com', 'an address without a path'],
    ['PUBLIC_URL', 'https://chat.example.com', 'TRUSTED_PROXY'],
    ['TRUSTED_PROXY', 'proxy.example.com', 'IP addresses or networks'],
    ['TRUSTED_PROXY', '10.0.0.0/33', 'IP addresses or networks'],
    ['TRUSTED_PROXY', '10.0.0.1,', 'IP addresses or networks'],
    ['INSECURE_HTTP', 'true', 'yes, no'],
  ])('The configuration refuses %s=%j and says in one line what is allowed', (setting, value, words) => {
    const refusal = refusalOf({ [setting]: value });
    expect(refusal).toContain(`${setting}=${JSON.stringify(value)}`);
    expect(refusal).toContain(words);
    expect(refusal).not.toContain('\n');
  });

  it.each(['0.0.0.0', '::', '192.168.1.10', 'chat.example.com'])(
    '[R1.6] The configuration refuses fake sign-in when the server listens at %s, and names the setting that allows it',
    (host) => {
      expect(refusalOf({ HOST: host })).toMatch(/HOST=.*FAKE_AUTH_BEYOND_LOOPBACK=yes/);
      expect(configurationOf({ HOST: host, FAKE_AUTH_BEYOND_LOOPBACK: 'yes' }).fakeSignInExposed).toBe(true);
    },
  );

  it.each([
    [{ TLS_CERT: 'certificate.pem' }, 'TLS_KEY'],
    [{ TLS_KEY: 'key.pem' }, 'TLS_CERT'],
  ])('The configuration refuses a certificate without a key, and a key without a certificate: %j', (environment, missing) => {
    expect(refusalOf(environment)).toContain(`${missing}=""`);
  });

  describe('configuration with passwords', () => {
    const beyond = { AUTH_MODE: 'password', HOST: '0.0.0.0' };

    it('The configuration refuses passwords over http when other machines can connect, and names the settings that solve this', () => {
      expect(refusalOf(beyond)).toMatch(/HOST=.*TLS_CERT.*TRUSTED_PROXY.*INSECURE_HTTP=yes/);
      expect(refusalOf({ ...beyond, PUBLIC_URL: 'http://chat.example.com' })).toContain('HOST=');
    });

    it.each([
      [{ TLS_CERT: 'certificate.pem', TLS_KEY: 'key.pem' }],
      [{ TRUSTED_PROXY: '10.0.0.1', PUBLIC_URL: 'https://chat.example.com' }],
      [{ INSECURE_HTTP: 'yes' }],
      [{ HOST: '127.0.0.1' }],
    ])('The configuration accepts password sign-in with %j', (environment) => {
      expect(configurationOf({ ...beyond, ...environment }).authMode).toBe('password');
    });
  });

  it.each([
    ['smtp://mail.example.com', { host: 'mail.example.com', port: 587, secure: false, user: undefined, password: undefined }],
    ['smtps://mail.example.com/', { host: 'mail.example.com', port: 465, secure: true, user: undefined, password: undefined }],
    ['smtp://[::1]:25', { host: '::1', port: 25, secure: false, user: undefined, password: undefined }],
    [
      'smtps://user%40example.com:p%3Ass%2Fw@mail.example.com:2465',
      { host: 'mail.example.com', port: 2465, secure: true, user: 'user@example.com', password: 'p:ss/w' },
    ],
  ])('The configuration accepts a mail server from %s', (SMTP_URL, server) => {
    const PUBLIC_URL = 'http://chat.example.com';
    const { mail } = configurationOf({ SMTP_URL, PUBLIC_URL, MAIL_FROM: '縁側 <chat@example.com>' });
    expect(mail).toEqual({ ...server, from: { name: '縁側', address: 'chat@example.com' } });
    expect(configurationOf({ SMTP_URL, PUBLIC_URL, MAIL_FROM: 'chat@example.com' }).mail?.from).toEqual({
      name: '',
      address: 'chat@example.com',
    });
  });

  it.each([
    'mail.example.com',
    'http://user:himitsu@mail.example.com',
    'smtp://user:himitsu@mail.example.com/path',
    'smtp://user:himitsu@mail.example.com?tls.rejectUnauthorized=false',
    'smtp://user:himitsu%@mail.example.com',
    'smtp://user:himitsu@',
  ])('The configuration refuses %s as a mail server, and its message does not repeat a password from it', (SMTP_URL) => {
    const refusal = refusalOf({ SMTP_URL, MAIL_FROM: 'chat@example.com' });
    expect(refusal).toMatch(/SMTP_URL=… .*smtp:\/\/host/);
    expect(refusal).not.toContain('himitsu');
    expect(refusal).not.toContain('\n');
  });

  it.each([
    [{ SMTP_URL: 'smtp://mail.example.com' }],
    [{ MAIL_FROM: 'chat@example.com' }],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'chat' }],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'a@example.com, b@example.com' }],
    [{ SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'x\r\nBcc: b@example.com <a@example.com>' }],
  ])('The configuration refuses mail settings that are incomplete: %j', (environment) => {
    expect(refusalOf(environment)).toMatch(/MAIL_FROM=.*an email address, or Name <address>/);
  });

  it.each([{}, { HOST: '0.0.0.0', INSECURE_HTTP: 'yes' }])(
    'The configuration requires PUBLIC_URL with SMTP_URL, for the links in mails: %j',
    (place) => {
      const mail = { SMTP_URL: 'smtp://mail.example.com', MAIL_FROM: 'chat@example.com' };
      const environment = { AUTH_MODE: 'password', ...mail, ...place };
      expect(refusalOf(environment)).toMatch(/PUBLIC_URL="" .*the address for links in mails.*required with SMTP_URL/);
      expect(configurationOf({ ...environment, PUBLIC_URL: 'http://chat.example.com' }).mail).toBeDefined();
    },
  );

  it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])(
    '[R1.6] The configuration allows fake sign-in when the server listens at %s',
    (host) => {
      expect(configurationOf({ HOST: host }).fakeSignInExposed).toBe(false);
    },
  );

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8080'],
    ['0.0.0.0', 'http://127.0.0.1:8080'],
    ['::1', 'http://[::1]:8080'],
    ['localhost', 'http://localhost:8080'],
  ])('The address that the server prints for HOST=%s can be opened in a browser', (host, address) => {
    expect(addressOf(host, 8080)).toBe(address);
  });
});

function refusalOf(environment: Record<string, string>): string {
  try {
    configurationOf(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}
