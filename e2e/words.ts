/** All words of the screens in both languages, so that tests can select by them. */
import { en as administrationEn } from '../packages/web/src/i18n/administration.en.ts';
import { ja as administrationJa } from '../packages/web/src/i18n/administration.ja.ts';
import { en } from '../packages/web/src/i18n/en.ts';
import { en as groupsEn } from '../packages/web/src/i18n/groups.en.ts';
import { ja as groupsJa } from '../packages/web/src/i18n/groups.ja.ts';
import { en as importEn } from '../packages/web/src/i18n/import.en.ts';
import { ja as importJa } from '../packages/web/src/i18n/import.ja.ts';
import { ja } from '../packages/web/src/i18n/ja.ts';
import { en as membersEn } from '../packages/web/src/i18n/members.en.ts';
import { ja as membersJa } from '../packages/web/src/i18n/members.ja.ts';
import { en as noticesEn } from '../packages/web/src/i18n/notices.en.ts';
import { ja as noticesJa } from '../packages/web/src/i18n/notices.ja.ts';
import { en as passwordEn } from '../packages/web/src/i18n/password.en.ts';
import { ja as passwordJa } from '../packages/web/src/i18n/password.ja.ts';
import { en as picturesEn } from '../packages/web/src/i18n/pictures.en.ts';
import { ja as picturesJa } from '../packages/web/src/i18n/pictures.ja.ts';
import { en as searchEn } from '../packages/web/src/i18n/search.en.ts';
import { ja as searchJa } from '../packages/web/src/i18n/search.ja.ts';
import { en as sessionEn } from '../packages/web/src/i18n/session.en.ts';
import { ja as sessionJa } from '../packages/web/src/i18n/session.ja.ts';
import { en as settingsEn } from '../packages/web/src/i18n/settings.en.ts';
import { ja as settingsJa } from '../packages/web/src/i18n/settings.ja.ts';

export const japanese = {
  ...ja,
  features: {
    administration: administrationJa,
    groups: groupsJa,
    import: importJa,
    members: membersJa,
    notices: noticesJa,
    password: passwordJa,
    pictures: picturesJa,
    search: searchJa,
    session: sessionJa,
    settings: settingsJa,
  },
};

export type Words = typeof japanese;

export const english: Words = {
  ...en,
  features: {
    administration: administrationEn,
    groups: groupsEn,
    import: importEn,
    members: membersEn,
    notices: noticesEn,
    password: passwordEn,
    pictures: picturesEn,
    search: searchEn,
    session: sessionEn,
    settings: settingsEn,
  },
};
