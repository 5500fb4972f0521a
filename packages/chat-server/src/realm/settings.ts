import { type BotCreation, type ParametersOut, type ReadReceiptsShown, updateRealm } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { plainName } from '../text/plainName.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { mustBeAdministrator } from '../identity/currentMember.ts';
import { realms } from './store.ts';
import { botCreationView, receiptsView } from './view.ts';

type Request = ParametersOut<typeof updateRealm>;

export function realmSettingsRoute(database: Database, log: EventLog): Route {
  return memberRoute(updateRealm, (asked, { member }) =>
    database.write((tx) => {
      mustBeAdministrator(tx, member);
      if (Object.keys(asked).length === 0) throw refused.because('Nothing to change.');
      const realm = realms.get(tx);
      if (!realm) throw new Error('there is no organisation yet');
      const shown = receiptsAfter(realm.read_receipts, asked);
      if (shown !== realm.read_receipts) {
        realms.setReadReceipts(tx, shown);
        publishRealm(tx, log, receiptsView(shown));
      }
      const creation = botCreationAfter(realm.bot_creation, asked);
      if (creation !== realm.bot_creation) {
        realms.setBotCreation(tx, creation);
        publishRealm(tx, log, botCreationView(creation));
      }
    }),
  );
}

/** Zulip's clients can only turn receipts on or off. Turning them on keeps `own` or `all`, and changes `none` to `own`. */
function receiptsAfter(
  before: ReadReceiptsShown,
  { enable_read_receipts: on, read_receipts: shown }: Request,
): ReadReceiptsShown {
  if (on !== undefined && shown !== undefined && on !== (shown !== 'none')) {
    throw refused.because('enable_read_receipts and read_receipts contradict each other.');
  }
  if (shown !== undefined) return shown;
  if (on === undefined) return before;
  if (!on) return 'none';
  return before === 'none' ? 'own' : before;
}

/** Zulip's policy of administrators keeps `nobody`, which it includes. */
function botCreationAfter(before: BotCreation, { bot_creation_policy: policy, bot_creation: creation }: Request): BotCreation {
  if (policy !== undefined && creation !== undefined && policy !== botCreationView(creation).bot_creation_policy) {
    throw refused.because('bot_creation_policy and bot_creation contradict each other.');
  }
  if (creation !== undefined) return creation;
  if (policy === undefined || policy === botCreationView(before).bot_creation_policy) return before;
  return policy === 1 ? 'everyone' : 'administrators';
}

export function publishRealm(tx: Transaction, log: EventLog, data: Readonly<Record<string, unknown>>): void {
  log.append(tx, { type: 'realm', reach: 'everyone', payload: { op: 'update_dict', property: 'default', data } });
}

/** Puts the name on one line, without surrounding space and invisible characters. */
export function cleanOrganisationName(name: string): string {
  const cleaned = plainName(name)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (cleaned === '') throw refused.because("Organization name can't be empty!");
  return cleaned;
}
