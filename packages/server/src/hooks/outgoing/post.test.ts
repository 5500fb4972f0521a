import { expect, it, onTestFinished } from 'vitest';
import { type Respond, answering, openReceiver } from '../../testing/receiver.ts';
import { PostFailedError, type Resolve, post } from './post.ts';

const noResolve: Resolve = () => Promise.reject(new Error('an IP address is not resolved'));
const name = 'hooks.example';
const resolvingTo =
  (...ips: readonly string[]): Resolve =>
  async () =>
    ips.map((address) => ({ address, family: 4 }));
const silent: Resolve = () => new Promise(() => undefined);

async function receiver(respond?: Respond) {
  const opened = await openReceiver(respond);
  onTestFinished(() => opened.close());
  return opened;
}

interface Options {
  readonly isPrivate?: boolean;
  readonly resolve?: Resolve;
  readonly timeout?: number;
  readonly signal?: AbortSignal;
}

const posting = (address: string, options: Options = {}) =>
  post(
    { url: new URL(address), isPrivate: options.isPrivate ?? true },
    { headers: { 'content-type': 'application/json' }, body: '{"text":"縁側"}' },
    {
      resolve: options.resolve ?? noResolve,
      timeout: options.timeout ?? 10_000,
      signal: options.signal ?? new AbortController().signal,
    },
  );

const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'no failure',
    (error: unknown) => (error instanceof PostFailedError ? error.code : error),
  );

it('A post arrives whole, and its answer is read', async () => {
  const { origin, received } = await receiver(answering(200, { content: '承知しました' }));
  expect(await posting(`${origin}/in?a=1`)).toEqual({
    status: 200,
    retryAfter: undefined,
    type: 'application/json',
    body: '{"content":"承知しました"}',
  });
  expect(received).toMatchObject([{ path: '/in?a=1', body: '{"text":"縁側"}', headers: { 'content-length': '17' } }]);
});

it('A name that leads to a private address gets no post', async () => {
  const { port, received } = await receiver();
  const resolve = resolvingTo('127.0.0.1');
  expect(await failure(posting(`http://${name}:${port}/`, { isPrivate: false, resolve }))).toBe('private_address');
  expect(received).toEqual([]);
});

it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])(
  'The private address %s gets no post if the origin may not be private',
  async (host) => {
    const { port, received } = await receiver();
    expect(await failure(posting(`http://${host}:${port}/`, { isPrivate: false }))).toBe('private_address');
    expect(received).toEqual([]);
  },
);

it('The connection goes to the address that was checked, even if the name leads elsewhere a moment later', async () => {
  const { port, received } = await receiver();
  const answers = ['127.0.0.1', '169.254.169.254'];
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname);
    return [{ address: answers[asked.length - 1] ?? '', family: 4 }];
  };
  expect(await posting(`http://${name}:${port}/`, { resolve })).toMatchObject({ status: 200 });
  expect(asked).toEqual([name]);
  expect(received).toMatchObject([{ headers: { host: `${name}:${port}` } }]);
  expect(await failure(posting(`http://${name}:${port}/`, { resolve }))).toBe('private_address');
});

it('Of the addresses of a name only the allowed ones get a post', async () => {
  const { port, received } = await receiver();
  const resolve = resolvingTo('169.254.169.254', '127.0.0.1');
  expect(await posting(`http://${name}:${port}/`, { resolve })).toMatchObject({ status: 200 });
  expect(received).toHaveLength(1);
});

it('A redirect is not followed', async () => {
  const elsewhere = await receiver();
  const { origin } = await receiver(answering(307, undefined, { location: elsewhere.origin }));
  expect(await posting(origin)).toMatchObject({ status: 307, body: undefined });
  expect(elsewhere.received).toEqual([]);
});

it('An answer of more than 64 kB is not read to its end', async () => {
  let closed: () => void;
  const ended = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const { origin } = await receiver((response) => {
    response.on('close', () => closed());
    const part = Buffer.alloc(1024 * 1024, 'a');
    const more = () => {
      while (!response.destroyed && response.write(part));
    };
    response.on('drain', more);
    more();
  });
  expect(await posting(origin)).toMatchObject({ status: 200, body: undefined });
  await ended;
});

it('An answer that is not in UTF-8 is not read', async () => {
  const { origin } = await receiver((response) => void response.end(Buffer.from([0x8b, 0xff])));
  expect(await posting(origin)).toMatchObject({ status: 200, body: undefined });
});

it.each<[string, Respond]>([
  ['nothing', () => undefined],
  ['only the beginning', (response) => void response.write('{')],
])('A receiver that answers %s is given up after the timeout', async (_, respond) => {
  const { origin } = await receiver(respond);
  expect(await failure(posting(origin, { timeout: 50 }))).toBe('timeout');
});

it('A name server that does not answer is given up after the timeout', async () => {
  expect(await failure(posting(`http://${name}/`, { resolve: silent, timeout: 50 }))).toBe('timeout');
});

it('A receiver that does not run, and a name without an address, are unreachable', async () => {
  const { origin, close } = await receiver();
  await close();
  expect(await failure(posting(origin))).toBe('unreachable');
  expect(await failure(posting(`http://${name}/`, { resolve: async () => [] }))).toBe('unreachable');
});

it('A receiver that cuts the connection is unreachable', async () => {
  const { origin } = await receiver((response) => void response.destroy());
  expect(await failure(posting(origin))).toBe('unreachable');
});

it('The end of the server ends a post in flight with its own reason', async () => {
  const ending = new AbortController();
  const { origin } = await receiver(() => ending.abort(new Error('the server ends')));
  expect(await failure(posting(origin, { signal: ending.signal }))).toEqual(new Error('the server ends'));
});
