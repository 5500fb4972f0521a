import { type ParametersOut, type ReadReceiptsShown, updateRealm } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { plainName } from '../text/plainName.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { mustBeAdministrator } from '../identity/currentMember.ts';
import { realms } from './store.ts';
import { receiptsView } from './view.ts';

export function realmSettingsRoute(database: Database, log: EventLog): Route {
  return memberRoute(updateRealm, (asked, { member }) =>
    database.write((tx) => {
      mustBeAdministrator(tx, member);
      const before = realms.get(tx)?.read_receipts ?? 'none';
      const shown = receiptsAfter(before, asked);
      if (shown !== before) showReceipts(tx, log, shown);
    }),
  );
}

/** Zulip's clients can only turn receipts on or off. Turning them on keeps `own` or `all`, and changes `none` to `own`. */
function receiptsAfter(before: ReadReceiptsShown, asked: ParametersOut<typeof updateRealm>): ReadReceiptsShown {
  const { enable_read_receipts: on, read_receipts: shown } = asked;
  if (on === undefined && shown === undefined) {
    throw refused.because('Nothing to change: give enable_read_receipts or read_receipts.');
  }
  if (on !== undefined && shown !== undefined && on !== (shown !== 'none')) {
    throw refused.because('enable_read_receipts and read_receipts contradict each other.');
  }
  if (shown !== undefined) return shown;
  if (!on) return 'none';
  return before === 'none' ? 'own' : before;
}

function showReceipts(tx: Transaction, log: EventLog, shown: ReadReceiptsShown): void {
  realms.setReadReceipts(tx, shown);
  log.append(tx, {
    type: 'realm',
    reach: 'everyone',
    payload: { op: 'update_dict', property: 'default', data: receiptsView(shown) },
  });
}

/** Puts the name on one line, without surrounding space and invisible characters. */
export function cleanOrganisationName(name: string): string {
  const cleaned = plainName(name)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if (cleaned === '') throw refused.because("Organization name can't be empty!");
  return cleaned;
}
