import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnswerOut, Endpoint, Parameters, ParametersIn } from '@engawa/protocol';
import { quickPasswordCost } from '@engawa/chat-server/testing/passwordCost';
import { type Connection, connect, fetchApiKey } from '@engawa/client';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll } from 'vitest';
import { basicAuthorization } from '../chat/connections.ts';
import { type Configuration, configurationOf } from '../configuration.ts';
import { type LogLevel, logAbove } from '../log/log.ts';
import { listen } from '../app.ts';
import { createProduct } from '../product.ts';

type Event = Readonly<Record<string, unknown>> & { readonly level?: LogLevel };

/** A product with the demo organisation on a real port. */
export interface RunningProduct {
  readonly app: FastifyInstance;
  readonly address: string;
  readonly dataDirectory: string;
  readonly log: Event[];
  /** The printed setup code; undefined if the organisation exists already. */
  readonly setupCode: string | undefined;
  /** Moves the clock of the product, and runs its timers once. */
  pass(milliseconds: number): void;
  /** A connection with Basic authentication, like a member's program. */
  connectionOf(name: string): Promise<Connection>;
  /** An API client's Authorization header. */
  basicOf(name: string): Promise<string>;
  /** A browser's cookie header, as `engawa_session=…`. */
  cookieOf(name: string): Promise<string>;
  call<P extends Parameters, A extends Endpoint['answer']>(
    name: string,
    endpoint: Endpoint<P, A>,
    parameters: ParametersIn<Endpoint<P, A>>,
  ): Promise<AnswerOut<Endpoint<P, A>>>;
  close(): Promise<void>;
}

export const emailOf = (name: string): string => `${name}@engawa.example`;

export const fromOwnPage = { 'sec-fetch-site': 'same-origin' };

export async function runProduct(
  environment: Readonly<Record<string, string>> = {},
  dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-')),
  passwordCost = quickPasswordCost,
): Promise<RunningProduct> {
  const log: Event[] = [];
  let passed = 0;
  const beats = new Set<() => void>();
  let setupCode: string | undefined;
  const configuration: Configuration = {
    ...configurationOf({ LOG_LEVEL: 'warn', ...environment, DATA_DIR: dataDirectory }),
    port: 0,
  };
  const app = await createProduct(configuration, {
    screens: join(import.meta.dirname, 'screens'),
    passwordCost,
    now: () => Date.now() + passed,
    every(_, beat) {
      beats.add(beat);
      return () => beats.delete(beat);
    },
    log: logAbove(configuration.logLevel, (event) => void log.push(event)),
    onSetupCode: (code) => {
      setupCode = code;
    },
  });
  const address = await listen(app, configuration);

  const keys = new Map<string, Promise<string>>();
  const keyOf = (name: string): Promise<string> => {
    const credentials = { username: emailOf(name), password: 'demo' };
    const key = keys.get(name) ?? fetchApiKey(connect({ realm: address }), credentials).then((answer) => answer.api_key);
    keys.set(name, key);
    return key;
  };
  const connectionOf = async (name: string): Promise<Connection> =>
    connect({ realm: address, username: emailOf(name), apiKey: await keyOf(name) });

  const product: RunningProduct = {
    app,
    address,
    dataDirectory,
    log,
    setupCode,
    pass: (milliseconds) => {
      passed += milliseconds;
      for (const beat of beats) beat();
    },
    connectionOf,
    basicOf: async (name) => basicAuthorization(emailOf(name), await keyOf(name)),
    cookieOf: async (name) => cookieFrom((await signIn(product, name)).headers['set-cookie']),
    call: async (name, endpoint, parameters) => (await connectionOf(name)).call(endpoint, parameters),
    async close() {
      await app.close();
      rmSync(dataDirectory, { recursive: true });
    },
  };
  return product;
}

/** Runs a product for all tests of a file and closes it after them. */
export async function runProductForFile(environment: Readonly<Record<string, string>> = {}): Promise<RunningProduct> {
  const product = await runProduct(environment);
  afterAll(() => product.close());
  return product;
}

export function signIn({ app }: RunningProduct, name: string, headers: InjectOptions['headers'] = {}) {
  return app.inject({
    method: 'POST',
    url: '/api/session',
    headers: { host: 'localhost', ...headers },
    payload: { email: emailOf(name) },
  });
}

export function cookieFrom(
  setCookie: string | readonly string[] | undefined,
  name: 'engawa_session' | 'engawa_device' = 'engawa_session',
): string {
  const cookie = [setCookie ?? []].flat().find((each) => each.startsWith(`${name}=`));
  if (cookie === undefined) throw new Error(`no cookie ${name} was set`);
  return cookie.split(';', 1).join('');
}

export const owner = {
  organisation: '株式会社 庭',
  name: '庭野 正',
  email: 'niwano@niwa.example',
  password: 'つくばい苔庭42',
} as const;

export async function setUp(
  { app, setupCode }: RunningProduct,
  change: Partial<Record<keyof typeof owner, string>> = {},
): Promise<string> {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/setup',
    headers: { host: 'localhost' },
    payload: { code: setupCode, ...owner, ...change },
  });
  if (answer.statusCode !== 200) throw new Error(`the setup was refused: ${answer.body}`);
  return cookieFrom(answer.headers['set-cookie']);
}
