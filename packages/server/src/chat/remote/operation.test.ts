/** The messages and files that an operator of a product in front of a Zulip sees. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeBackup } from '../../backup/backup.ts';
import { restoreBackup } from '../../backup/restore.ts';
import { runOperatorCommand } from '../../commands/operatorClient.ts';
import { configurationOf } from '../../configuration.ts';
import { examine } from '../../doctor/doctor.ts';
import { runProduct } from '../../testing/product.ts';
import { failure, json, page, runUpstream, success } from '../../testing/upstream.ts';
import { startZulip } from '../../testing/zulip/zulip.ts';

const certificate = join(import.meta.dirname, '../../testing/tls/first.pem');
const site = 'https://zulip.example.com';

function emptyDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

describe('the settings for a Zulip', () => {
  it('[R7.8] ZULIP_SITE chooses the sign-in by password, and ZULIP_CA is read', () => {
    expect(configurationOf({ ZULIP_SITE: 'https://Zulip.Example.com/' })).toMatchObject({
      authMode: 'password',
      zulip: { site, certificates: undefined },
    });
    const { zulip } = configurationOf({ ZULIP_SITE: site, ZULIP_CA: certificate });
    expect(zulip?.certificates).toContain('BEGIN CERTIFICATE');
    expect(configurationOf({}).zulip).toBeUndefined();
  });

  it.each([
    ['http to another machine', { ZULIP_SITE: 'http://zulip.example.com' }, 'ZULIP_SITE'],
    ['a path', { ZULIP_SITE: 'https://example.com/chat' }, 'ZULIP_SITE'],
    ['a password in the address', { ZULIP_SITE: 'https://a:b@zulip.example.com' }, 'ZULIP_SITE'],
    ['the fake sign-in', { ZULIP_SITE: site, AUTH_MODE: 'fake' }, 'AUTH_MODE'],
    ['an authority without a site', { ZULIP_CA: certificate }, 'ZULIP_CA'],
    ['an authority for http', { ZULIP_SITE: 'http://127.0.0.1:9991', ZULIP_CA: certificate }, 'ZULIP_CA'],
    ['a missing authority file', { ZULIP_SITE: site, ZULIP_CA: '/nowhere.pem' }, 'ZULIP_CA'],
    ['a file without a certificate', { ZULIP_SITE: site, ZULIP_CA: import.meta.filename }, 'ZULIP_CA'],
    ['a former site without a site', { ZULIP_SITE_BEFORE: site }, 'ZULIP_SITE_BEFORE'],
  ])('[R7.8] The start is refused with %s, and names the setting in both languages', (_, environment, setting) => {
    expect(() => configurationOf(environment)).toThrow(new RegExp(`起動できません: .*${setting}.* / Cannot start: .*${setting}`));
  });
});

describe('a data directory', () => {
  it('[R7.8] The data of an embedded chat server is not used in front of a Zulip', async () => {
    const zulip = await runUpstream();
    const directory = emptyDirectory();
    await (await runProduct({}, directory)).app.close();
    await expect(runProduct({ ZULIP_SITE: zulip.site }, directory)).rejects.toThrow('without ZULIP_SITE');
    await (await runProduct({}, directory)).app.close();
  });

  it('[R7.8] The data of a Zulip is used neither without it nor with another one, but after its address has changed', async () => {
    const [zulip, other] = [await runUpstream(), await runUpstream()];
    const directory = emptyDirectory();
    await (await runProduct({ ZULIP_SITE: zulip.site }, directory)).app.close();
    const refused = `belongs to the Zulip server ${zulip.site}`;
    await expect(runProduct({}, directory)).rejects.toThrow(refused);
    await expect(runProduct({ ZULIP_SITE: other.site }, directory)).rejects.toThrow(refused);
    await (await runProduct({ ZULIP_SITE: other.site, ZULIP_SITE_BEFORE: zulip.site }, directory)).app.close();
    await (await runProduct({ ZULIP_SITE: other.site }, directory)).app.close();
  });

  it('[R7.8] A backup of a product in front of a Zulip is restored, and belongs to the same Zulip', async () => {
    const zulip = await runUpstream();
    const directory = emptyDirectory();
    await (await runProduct({ ZULIP_SITE: zulip.site }, directory)).app.close();
    const [backup, restored] = [join(emptyDirectory(), 'backup'), join(emptyDirectory(), 'restored')];
    await makeBackup(directory, backup, 'copy');
    await restoreBackup(backup, restored, { endSessions: true });
    await (await runProduct({ ZULIP_SITE: zulip.site }, restored)).app.close();
    await expect(runProduct({}, restored)).rejects.toThrow(zulip.site);
  });
});

const usual = {
  authentication_methods: { password: true },
  external_authentication_methods: [],
  zulip_version: '8.0',
  zulip_feature_level: 218,
  push_notifications_enabled: false,
  is_incompatible: false,
};

const findingsOf = async (environment: Readonly<Record<string, string>>) => {
  const findings = await examine({
    environment: { DATA_DIR: emptyDirectory(), CALLS: 'off', ...environment },
    backups: undefined,
    now: Date.now(),
  });
  return findings.filter(({ check }) => check === 'zulip');
};
const settings = (fields: object) => success({ ...usual, ...fields });
const call = 'GET /api/v1/server_settings';

describe('commands about members', () => {
  it('[R7.8] The commands about members say that they are managed in the Zulip', async () => {
    const zulip = await runUpstream();
    const directory = emptyDirectory();
    await (await runProduct({ ZULIP_SITE: zulip.site }, directory)).app.close();
    const terminal = { environment: { DATA_DIR: directory }, say: () => {}, warn: () => {} };
    await expect(runOperatorCommand({ command: 'user list' }, terminal)).rejects.toThrow(zulip.site);
  });
});

describe('engawa doctor', () => {
  it('[R7.8] The doctor names the version of the Zulip', async () => {
    const zulip = await runUpstream();
    const [finding, ...more] = await findingsOf({ ZULIP_SITE: zulip.site });
    expect([finding?.level, finding?.en, more]).toEqual(['ok', expect.stringContaining('8.0-dev+git, feature level 218'), []]);
  });

  it.each([
    ['is older than supported', settings({ zulip_feature_level: 100 }), 'problem', 'too old'],
    ['is newer than tried', settings({ zulip_feature_level: 500 }), 'warning', 'not tried'],
    ['allows no passwords', settings({ authentication_methods: { google: true } }), 'problem', 'signing in by password'],
    ['answers a page', page(200), 'problem', 'does not answer as a Zulip server (status 200)'],
    ['answers an error', failure(500, 'INTERNAL', 'Internal server error'), 'problem', 'status 500'],
    ['answers something else', json({ hello: 'world' }), 'problem', 'status 200'],
  ])('[R7.8] The doctor reports a Zulip that %s', async (_, answer, level, words) => {
    const zulip = await runUpstream();
    zulip.on(call, answer);
    expect(await findingsOf({ ZULIP_SITE: zulip.site })).toContainEqual(
      expect.objectContaining({ level, en: expect.stringContaining(words) }),
    );
  });

  it('[R7.8] The doctor reports a Zulip that cannot be reached, and one whose certificate is not trusted', async () => {
    const gone = await runUpstream();
    await gone.close();
    expect(await findingsOf({ ZULIP_SITE: gone.site })).toMatchObject([
      { level: 'problem', en: expect.stringContaining('cannot be reached') },
    ]);
    const zulip = await startZulip({ secure: true });
    onTestFinished(() => zulip.close());
    expect(await findingsOf({ ZULIP_SITE: zulip.url })).toMatchObject([
      { level: 'problem', en: expect.stringContaining('check ZULIP_CA') },
    ]);
    expect(await findingsOf({ ZULIP_SITE: zulip.url, ZULIP_CA: certificate })).toMatchObject([{ level: 'ok' }]);
  });

  it('[R7.8] The doctor finds nothing wrong with the data of a product in front of a Zulip', async () => {
    const zulip = await runUpstream();
    const product = await runProduct({ ZULIP_SITE: zulip.site });
    onTestFinished(() => product.close());
    const environment = { DATA_DIR: product.dataDirectory, CALLS: 'off', ZULIP_SITE: zulip.site };
    const findings = await examine({ environment, backups: undefined, now: Date.now() });
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    const others = await examine({ environment: { ...environment, ZULIP_SITE: '' }, backups: undefined, now: Date.now() });
    expect(others).toContainEqual(expect.objectContaining({ check: 'configuration', level: 'problem' }));
  });
});
