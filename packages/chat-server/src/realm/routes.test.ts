import { getServerSettings } from '@engawa/protocol';
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
      server_extensions: ['client_message_id', 'include_deleted'],
    });
    expect(settings.authentication_methods).toMatchObject({ password: true, ldap: false });
  });

  it('answers before there is an organisation', async () => {
    const empty = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock() });
    expect(await eg.visitor(empty).ok(getServerSettings, {})).toMatchObject({ realm_name: '' });
    await empty.close();
  });
});
