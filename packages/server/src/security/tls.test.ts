import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type PeerCertificate } from 'node:tls';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { configurationOf } from '../configuration.ts';
import { runProductForFile } from '../testing/product.ts';
import { createListener, renewCertificate } from './listener.ts';
import { tlsFiles } from './tls.ts';

const directory = mkdtempSync(join(tmpdir(), 'engawa-'));
afterAll(() => rmSync(directory, { recursive: true }));

const given = join(import.meta.dirname, '../testing/tls');
const [certificate, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')];
function place(name: 'first' | 'second'): void {
  copyFileSync(join(given, `${name}.pem`), certificate);
  copyFileSync(join(given, `${name}-key.pem`), key);
}
place('first');
const first = (name: string) => join(given, name);

const product = await runProductForFile({ TLS_CERT: certificate, TLS_KEY: key });
const port = Number(new URL(product.address).port);
const authorities = ['first', 'second'].map((name) => readFileSync(join(given, `${name}.pem`)));

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

function asks(path: string, { method = 'GET', headers = {}, body = '' }: Asked = {}) {
  return new Promise<{ status: number | undefined; headers: Readonly<Record<string, unknown>> }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, ca: authorities, headers }, (answer) => {
      answer.resume().on('end', () => resolve({ status: answer.statusCode, headers: answer.headers }));
    });
    sent.on('error', reject).end(body);
  });
}

function shown(): Promise<PeerCertificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, ca: authorities }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.on('error', reject);
  });
}

describe('with a certificate', () => {
  it('With a certificate the server uses https, and its cookies are for https only', async () => {
    expect(product.address).toMatch(/^https:\/\/127\.0\.0\.1:/);
    const answer = await asks('/api/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: product.address },
      body: JSON.stringify({ email: 'tanaka@engawa.example' }),
    });
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'strict-transport-security': 'max-age=31536000',
        'set-cookie': [expect.stringMatching(/^__Host-engawa_session=.*; Secure;/), expect.anything()],
      },
    });
    expect(await asks('/')).toMatchObject({
      status: 200,
      headers: { 'content-security-policy': expect.stringContaining('; upgrade-insecure-requests') },
    });
  });

  it('With a certificate every answer has the HSTS header, also the answer to a malformed request', async () => {
    for (const path of ['/nowhere', '/api/nowhere', '/%zz', '/api/v1/users/me']) {
      expect((await asks(path)).headers['strict-transport-security']).toBe('max-age=31536000');
    }
  });

  it('With an RSA certificate the server offers only forward-secret suites to clients of TLS 1.2', async () => {
    const server = createListener(() => undefined, {
      tls: tlsFiles(first('rsa.pem'), first('rsa-key.pem')),
      trusts: () => false,
    });
    onTestFinished(() => void server.close());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const listened = typeof address === 'object' ? address?.port : undefined;
    const suiteOf = (options: ConnectionOptions) =>
      new Promise<string>((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port: listened ?? 0, ca: readFileSync(first('rsa.pem')), ...options }, () => {
          resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
          socket.destroy();
        });
        socket.on('error', reject);
      });
    expect(await suiteOf({})).toMatch(/^TLSv1\.3 TLS_/);
    expect(await suiteOf({ maxVersion: 'TLSv1.2' })).toMatch(/^TLSv1\.2 ECDHE-RSA-.*(GCM|POLY1305)/);
    for (const suite of ['AES128-GCM-SHA256', 'AES256-SHA', 'ECDHE-RSA-AES256-SHA']) {
      await expect(suiteOf({ maxVersion: 'TLSv1.2', ciphers: `${suite}:@SECLEVEL=0` })).rejects.toThrow('handshake failure');
    }
  });

  it('With a certificate a request over http gets no answer', async () => {
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('After its certificate files change, the server uses a valid new certificate, and otherwise keeps the old one', async () => {
    const { tls } = configurationOf({ TLS_CERT: certificate, TLS_KEY: key });
    expect((await shown()).subject.CN).toBe('first.engawa.example');
    place('second');
    renewCertificate(product.app.server, tls);
    expect((await shown()).subject.CN).toBe('second.engawa.example');
    writeFileSync(certificate, 'half of a fi');
    expect(() => renewCertificate(product.app.server, tls)).toThrow('TLS_CERT');
    expect((await shown()).subject.CN).toBe('second.engawa.example');
  });
});

describe('invalid certificate files', () => {
  it.each([
    ['a missing certificate', '/nowhere/c.pem', first('first-key.pem'), /TLS_CERT.*ENOENT/],
    ['a missing key', first('first.pem'), '/nowhere/k.pem', /TLS_KEY.*ENOENT/],
    ['a key in the certificate’s place', first('first-key.pem'), first('first-key.pem'), /TLS_CERT.*PEM/],
    ['a certificate in the key’s place', first('first.pem'), first('first.pem'), /TLS_KEY.*PEM/],
    ['the key of another certificate', first('first.pem'), first('second-key.pem'), /TLS_KEY.*TLS_CERT/],
  ])(
    'Invalid certificate files are reported in one line in both languages without any content of the key: %s',
    (_, cert, keyFile, words) => {
      expect(() => tlsFiles(cert, keyFile).read()).toThrow(words);
      const said = messageOf(() => tlsFiles(cert, keyFile).read());
      expect(said).toMatch(/^起動できません: .* \/ Cannot start: .*$/);
      const [secret = ''] = readFileSync(first('first-key.pem'), 'utf8').split('\n').slice(1);
      expect(said).not.toContain(secret);
    },
  );
});

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof Error) return error.message;
  }
  throw new Error('it was read');
}
