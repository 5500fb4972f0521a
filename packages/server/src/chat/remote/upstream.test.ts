import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runUpstream, success } from '../../testing/upstream.ts';
import { startZulip } from '../../testing/zulip/zulip.ts';
import { createUpstream } from './upstream.ts';

const call = {
  method: 'GET',
  path: '/api/v1/server_settings',
  headers: {},
  isRepeatable: true,
  patience: 2000,
  signal: new AbortController().signal,
};

function upstreamAt(site: string, certificates?: string) {
  const upstream = createUpstream({ site, certificates, siteBefore: undefined });
  onTestFinished(() => upstream.close());
  return upstream;
}

describe('the connection to a Zulip', () => {
  it('[R7.8] A reply that does not come in time is a failure', async () => {
    const zulip = await runUpstream();
    zulip.on('GET /api/v1/server_settings', () => undefined);
    const exchange = upstreamAt(zulip.site).exchange({ ...call, patience: 50 });
    await expect(exchange).rejects.toMatchObject({ name: 'UpstreamError', fault: 'slow' });
  });

  it('[R7.8] A reply that stops in the middle is a failure, also if it never ends', async () => {
    const zulip = await runUpstream();
    const upstream = upstreamAt(zulip.site);
    zulip.on('GET /api/v1/server_settings', (response) => {
      response.writeHead(200, { 'Content-Length': '100' }).write('{', () => response.destroy());
    });
    await expect(upstream.exchange(call)).rejects.toMatchObject({ fault: 'cut-off' });
    zulip.on('GET /api/v1/server_settings', (response) => void response.writeHead(200, { 'Content-Length': '100' }).write('{'));
    await expect(upstream.exchange({ ...call, patience: 50 })).rejects.toMatchObject({ fault: 'slow' });
  });

  it('[R7.8] A reply beyond the limit is not read to its end', async () => {
    const zulip = await runUpstream();
    const megabyte = Buffer.alloc(1024 * 1024);
    let written = 0;
    zulip.on('GET /api/v1/server_settings', (response) => {
      response.writeHead(200);
      const write = () => {
        while (!response.destroyed && (written += 1) < 1000) if (!response.write(megabyte)) return response.once('drain', write);
        return response.end();
      };
      write();
    });
    await expect(upstreamAt(zulip.site).exchange({ ...call, patience: 20_000 })).rejects.toMatchObject({ fault: 'too-large' });
    expect(written).toBeLessThan(100);
  });

  it('[R7.8] A site at which nothing listens is a failure', async () => {
    const zulip = await runUpstream();
    await zulip.close();
    await expect(upstreamAt(zulip.site).exchange(call)).rejects.toMatchObject({ fault: 'unreachable' });
  });

  it('[R7.8] A call on a kept connection that Zulip has closed is made again only if it may be repeated', async () => {
    const zulip = await runUpstream();
    const upstream = upstreamAt(zulip.site);
    const closeNext = () => {
      let isFirst = true;
      zulip.on('GET /api/v1/server_settings', (response) => {
        if (isFirst) response.destroy();
        else success({})(response, { method: '', url: '', headers: {}, body: '' });
        isFirst = false;
      });
    };
    await upstream.exchange(call);
    closeNext();
    expect((await upstream.exchange(call)).status).toBe(200);
    closeNext();
    await expect(upstream.exchange({ ...call, isRepeatable: false })).rejects.toMatchObject({ fault: 'unreachable' });
  });

  it('[R7.8] An aborted call ends at once, with the reason of the abort', async () => {
    const zulip = await runUpstream();
    zulip.on('GET /api/v1/server_settings', () => undefined);
    const left = new AbortController();
    const exchange = upstreamAt(zulip.site).exchange({ ...call, signal: left.signal });
    left.abort(new Error('the client left'));
    await expect(exchange).rejects.toThrow('the client left');
  });
});

describe('a Zulip with the certificate of a private authority', async () => {
  const certificates = readFileSync(join(import.meta.dirname, '../../testing/tls/first.pem'), 'utf8');

  it('[R7.8] The certificate is accepted with ZULIP_CA, and refused without', async () => {
    const zulip = await startZulip({ secure: true });
    onTestFinished(() => zulip.close());
    const { status, body } = await upstreamAt(zulip.url, certificates).exchange(call);
    expect([status, JSON.parse(body.toString())]).toMatchObject([200, { zulip_feature_level: 218 }]);
    await expect(upstreamAt(zulip.url).exchange(call)).rejects.toMatchObject({ fault: 'certificate' });
    await zulip.fail({ wrongCertificate: true });
    await expect(upstreamAt(zulip.url, certificates).exchange(call)).rejects.toMatchObject({ fault: 'certificate' });
  });
});

it('[R7.8] A file is streamed, and a stream that stops is a failure', async () => {
  const zulip = await runUpstream();
  const upstream = upstreamAt(zulip.site);
  zulip.on('GET /user_uploads/2/a.txt', (response) => void response.writeHead(200).end('hello'));
  const file = { ...call, path: '/user_uploads/2/a.txt' };
  expect(await text(await upstream.open(file))).toBe('hello');
  zulip.on('GET /user_uploads/2/a.txt', (response) => void response.writeHead(200).write('hel'));
  const opened = await upstream.open({ ...file, patience: 1000 });
  await expect(text(opened)).rejects.toMatchObject({ fault: 'slow' });
});
