/** Debian's reverse proxies with the examples of the operator's guide. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examplesOf } from './guide.ts';
import { freePort } from './ports.ts';

/** For `localhost`. */
export const certificate = join(import.meta.dirname, 'tls/first.pem');
const key = join(import.meta.dirname, 'tls/first-key.pem');

/** The host name in the examples. */
export const exampleHost = 'chat.example.com';

const programs = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' };
export type ProxyName = keyof typeof programs;
export const proxyNames: readonly ProxyName[] = ['nginx', 'caddy'];

/** Why the tests of a proxy are skipped; undefined if it is installed. */
export function proxyMissing(name: ProxyName): string | undefined {
  return existsSync(programs[name]) ? undefined : `${programs[name]} is not installed (apt-get install ${name})`;
}

export interface ReverseProxy {
  readonly port: number;
  stop(): Promise<void>;
}

/** Starts the guide's example. Only ports and the paths of the certificate differ. @param upstream the port of the product */
export async function startProxy(name: ProxyName, upstream: number): Promise<ReverseProxy> {
  const [example = ''] = examplesOf(name);
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), `engawa-${name}-`));
  // The processes of nginx that serve are of another user.
  chmodSync(directory, 0o711);
  const file = join(directory, 'configuration');
  const given = replaced(example, /127\.0\.0\.1:8080/, `127.0.0.1:${upstream}`);
  writeFileSync(file, name === 'nginx' ? nginxWith(given, port, directory) : caddyWith(given, port));
  const words = name === 'nginx' ? ['-e', 'stderr', '-c', file] : ['run', '--adapter', 'caddyfile', '--config', file];
  const child = spawn(programs[name], words, {
    env: { HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'close');
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
  }
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function nginxWith(example: string, port: number, directory: string): string {
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${directory}/${kind};`);
  const server = replaced(
    replaced(replaced(example, /listen 443 /, `listen 127.0.0.1:${port} `), /(?<=ssl_certificate +)\S+(?=;)/, certificate),
    /(?<=ssl_certificate_key +)\S+(?=;)/,
    key,
  );
  return `daemon off; pid ${directory}/pid; error_log stderr;\nevents {}\nhttp { access_log off; ${own.join(' ')}\n${server}}\n`;
}

function caddyWith(example: string, port: number): string {
  const site = replaced(example, /(?<=\btls ).*/, `${certificate} ${key}`);
  return `{\n  admin off\n  auto_https disable_redirects\n  default_bind 127.0.0.1\n  https_port ${port}\n}\n${site}`;
}

/** An example without the line would be tested with a setting that the guide does not have. */
function replaced(text: string, part: RegExp, by: string): string {
  if (!part.test(text)) throw new Error(`the example has no ${part}: ${text}`);
  return text.replace(part, by);
}

async function accepts(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ host: '127.0.0.1', port }, () => resolve(true)).on('error', () => setTimeout(resolve, 20, false));
  const answer = await promise;
  socket.destroy();
  return answer;
}
