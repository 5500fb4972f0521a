import {
  getLinkifiers,
  getRealmEmoji,
  getRealmFilters,
  getServerSettings,
  urlTemplateOf,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { createChatServer } from '../chatServer.ts';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';

describe('GET /server_settings', () => {
  it('[R7.6] says without credentials what this server is', async () => {
    const settings = await eg.visitor(await eg.server()).ok(getServerSettings, {});
    expect(settings).toMatchObject({
      zulip_feature_level: 371,
      realm_uri: eg.realm.url,
      realm_url: eg.realm.url,
      realm_name: '株式会社縁側',
      realm_description: '<p>縁側 &#38; &#60;庭&#62;</p>',
      require_email_format_usernames: true,
      server_extensions: ['client_message_id', 'include_deleted', 'oldest_examined', 'channels_subscribed', 'read_receipts', 'former_names'],
    });
    expect(settings.authentication_methods).toMatchObject({ password: true, ldap: false });
  });

  it('answers before there is an organisation', async () => {
    const empty = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock() });
    expect(await eg.visitor(empty).ok(getServerSettings, {})).toMatchObject({ realm_name: '' });
    await empty.close();
  });
});

describe('GET /realm/emoji', () => {
  it('[R7.6] shows every member the organisation’s own, those that were taken away too', async () => {
    const server = await eg.server();
    const { emoji } = await eg.signIn(server, 'takahashi').ok(getRealmEmoji, {});
    expect(emoji).toEqual({
      1: {
        id: '1',
        name: 'engawa',
        source_url: '/emoji/engawa.png',
        still_url: null,
        deactivated: false,
        author_id: server.user('tanaka'),
      },
      2: expect.objectContaining({ name: 'old_engawa', deactivated: true, author_id: server.user('sato') }),
    });
  });

  it('is empty where there are none', async () => {
    const { emoji: _, ...plain } = eg.organisation();
    const server = await eg.server({ organisation: plain });
    expect(await eg.signIn(server, 'ito').ok(getRealmEmoji, {})).toEqual({ emoji: {} });
  });
});

const linkifiers = [
  { pattern: '#(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' },
  { pattern: '(?P<org>[a-z]+)/(?P<repo>[a-z]+)', url_template: 'https://git.example/{org}/{repo}?q=100%25' },
];

describe('GET /realm/linkifiers', () => {
  it('[R7.6] shows every member the patterns in their order', async () => {
    const server = await eg.server({ organisation: eg.organisation({ linkifiers }) });
    expect(await eg.signIn(server, 'takahashi').ok(getLinkifiers, {})).toEqual({
      linkifiers: linkifiers.map((linkifier, index) => ({ id: index + 1, ...linkifier })),
    });
  });
});

describe('GET /realm/filters', () => {
  it('[R7.6] shows the same to older clients, with addresses as Python formats them', async () => {
    const server = await eg.server({ organisation: eg.organisation({ linkifiers }) });
    const { filters } = await eg.signIn(server, 'ito').ok(getRealmFilters, {});
    expect(filters).toEqual([
      ['#(?P<id>[0-9]+)', 'https://tickets.example/%(id)s', 1],
      ['(?P<org>[a-z]+)/(?P<repo>[a-z]+)', 'https://git.example/%(org)s/%(repo)s?q=100%%25', 2],
    ]);
    expect(filters.map(([, format]) => urlTemplateOf(format))).toEqual(linkifiers.map((each) => each.url_template));
  });
});
