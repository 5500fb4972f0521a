import type { ReadReceiptsShown } from '@engawa/protocol';
import type { Database, Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { rankOf } from './people.ts';
import type { Reorganiser } from './reorganisation.ts';
import { cleanOrganisationName } from '../realm/name.ts';
import { realms } from '../realm/store.ts';
import { receiptsView } from '../realm/view.ts';

/** What is chosen for the whole organisation. */
export interface ChosenForAll {
  readonly name: string;
  readonly description: string;
  readonly readReceipts: ReadReceiptsShown;
  /** Seconds in which a message may be corrected, deleted, and its topic changed; null: always. */
  readonly editLimits: {
    readonly content: number | null;
    readonly deletion: number | null;
    readonly topic: number | null;
  };
}

/** Undefined where there is no organisation yet. */
export function chosenForAll(reader: Reader): ChosenForAll | undefined {
  const realm = realms.get(reader);
  return (
    realm && {
      name: realm.name,
      description: realm.description,
      readReceipts: realm.read_receipts,
      editLimits: { content: realm.content_edit_limit, deletion: realm.deletion_limit, topic: realm.topic_edit_limit },
    }
  );
}

/**
 * Changes what is chosen to what `change` makes of it as it is then, and tells everyone of what is another than it was.
 * @throws ChatError when it is not theirs to choose.
 */
export function chooseForAll(
  database: Database,
  log: EventLog,
  change: (now: ChosenForAll) => ChosenForAll,
  by: Reorganiser,
): Promise<void> {
  return database.write((tx) => {
    rankOf(tx, by);
    const before = chosenForAll(tx);
    if (!before) throw new TypeError('there is no organisation yet');
    const asked = change(before);
    const after = { ...asked, name: cleanOrganisationName(asked.name) };
    const { content, deletion, topic } = after.editLimits;
    realms.setSettings(tx, {
      name: after.name,
      description: after.description,
      read_receipts: after.readReceipts,
      content_edit_limit: content,
      deletion_limit: deletion,
      topic_edit_limit: topic,
    });
    tell(tx, log, before, after);
  });
}

function tell(tx: Transaction, log: EventLog, before: ChosenForAll, after: ChosenForAll): void {
  for (const property of ['name', 'description'] as const) {
    if (before[property] !== after[property]) {
      log.append(tx, { ...toAll, payload: { op: 'update', property, value: after[property] } });
    }
  }
  const data = {
    ...(before.readReceipts === after.readReceipts ? {} : receiptsView(after.readReceipts)),
    ...limitsTold(before.editLimits, after.editLimits),
  };
  if (Object.keys(data).length > 0) {
    log.append(tx, { ...toAll, payload: { op: 'update_dict', property: 'default', data } });
  }
}

const toAll = { type: 'realm', reach: 'everyone' } as const;

function limitsTold(before: ChosenForAll['editLimits'], after: ChosenForAll['editLimits']): Record<string, number | null> {
  return {
    ...(before.content === after.content ? {} : { message_content_edit_limit_seconds: after.content }),
    ...(before.deletion === after.deletion ? {} : { message_content_delete_limit_seconds: after.deletion }),
    ...(before.topic === after.topic ? {} : { move_messages_within_stream_limit_seconds: after.topic }),
  };
}
