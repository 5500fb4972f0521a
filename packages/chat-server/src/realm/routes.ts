import {
  getEmojiData,
  getLinkifiers,
  getRealmEmoji,
  getRealmFilters,
  getServerSettings,
  zulipFeatureLevel,
  zulipVersion,
} from '@engawa/protocol';
import { emojiNamesByCode } from '../emoji/names.ts';
import { escapeHtml } from '../text/characters.ts';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute, openRoute } from '../http/router.ts';
import { deleteEmojiRoute } from './emoji.ts';
import { linkifierRoutes } from './linkifiers.ts';
import { playgroundRoutes } from './playgrounds.ts';
import { realmSettingsRoute } from './settings.ts';
import { linkifiers, realms } from './store.ts';
import { type RealmHost, filterView, iconUrl, realmEmojiView } from './view.ts';

const methods = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  apple: false,
  google: false,
  saml: false,
  'openid connect': false,
} as const;

export function realmRoutes(database: Database, log: EventLog, host: RealmHost): Route[] {
  return [
    openRoute(getServerSettings, () => {
      const realm = realms.get(database.reader);
      const { url } = host;
      return {
        authentication_methods: methods,
        external_authentication_methods: [],
        zulip_version: zulipVersion,
        zulip_feature_level: zulipFeatureLevel,
        zulip_merge_base: zulipVersion,
        push_notifications_enabled: false,
        is_incompatible: false,
        email_auth_enabled: true,
        require_email_format_usernames: true,
        realm_uri: url,
        realm_url: url,
        realm_name: realm?.name ?? '',
        realm_icon: iconUrl(host),
        realm_description: `<p>${escapeHtml(realm?.description ?? '')}</p>`,
        realm_web_public_access_enabled: false,
        server_software: 'Engawa',
        server_extensions: [
          'client_message_id',
          'include_deleted',
          'oldest_examined',
          'channels_subscribed',
          'in_own',
          'date_anchor',
          'substring_search',
          'read_receipts',
          'former_names',
          'put_away',
          'stream_pictures',
          'creator_rights',
          'edit_guard',
          'draft_revisions',
          'own_settings',
          'audiences',
          'status_end',
        ],
      };
    }),

    openRoute(getEmojiData, () => ({ code_to_names: emojiNamesByCode() })),
    realmSettingsRoute(database, log),
    memberRoute(getRealmEmoji, (_, { member }) => ({ emoji: realmEmojiView(database.reader, member) })),
    deleteEmojiRoute(database, log),
    ...linkifierRoutes(database, log),
    ...playgroundRoutes(database, log),
    memberRoute(getLinkifiers, () => ({ linkifiers: linkifiers.all(database.reader) })),
    memberRoute(getRealmFilters, () => ({ filters: linkifiers.all(database.reader).map(filterView) })),
  ];
}
