import { type ParametersOut, type ReadReceiptsShown, updateRealm } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { mustBeAdministrator } from '../identity/currentMember.ts';
import { realms } from './store.ts';
import { receiptsView } from './view.ts';

/** What administrators choose for all. What is so already is told to nobody. */
export function realmSettingsRoute(database: Database, log: EventLog): Route {
  return memberRoute(updateRealm, async (asked, { member }) => {
    await database.write((tx) => {
      mustBeAdministrator(tx, member);
      const before = realms.get(tx)?.read_receipts ?? 'none';
      const shown = shownAfter(before, asked);
      if (shown !== before) showReceipts(tx, log, shown);
    });
    return {};
  });
}

/** Clients of Zulip know on and off only: on is as it was, or where none were shown, of one's own. */
function shownAfter(before: ReadReceiptsShown, asked: ParametersOut<typeof updateRealm>): ReadReceiptsShown {
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

/** What a member sees of it changes with their next look. */
function showReceipts(tx: Transaction, log: EventLog, shown: ReadReceiptsShown): void {
  realms.setReadReceipts(tx, shown);
  log.append(tx, {
    type: 'realm',
    reach: 'everyone',
    payload: { op: 'update_dict', property: 'default', data: receiptsView(shown) },
  });
}
