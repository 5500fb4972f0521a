import type { BotCreation, ReadReceiptsShown } from '@engawa/protocol';
import type { Database, Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { cleanOrganisationName, publishRealm } from '../realm/settings.ts';
import { realms } from '../realm/store.ts';
import { botCreationView, receiptsView } from '../realm/view.ts';
import { rankOf } from './people.ts';
import type { Reorganiser } from './reorganisation.ts';

export interface RealmSettings {
  readonly name: string;
  readonly description: string;
  readonly readReceipts: ReadReceiptsShown;
  readonly botCreation: BotCreation;
  /** Seconds after sending in which a message can be changed. Null: always. */
  readonly editLimits: { readonly content: number | null; readonly deletion: number | null; readonly topic: number | null };
}

export function realmSettings(reader: Reader): RealmSettings | undefined {
  const realm = realms.get(reader);
  return (
    realm && {
      name: realm.name,
      description: realm.description,
      readReceipts: realm.read_receipts,
      botCreation: realm.bot_creation,
      editLimits: { content: realm.content_edit_limit, deletion: realm.deletion_limit, topic: realm.topic_edit_limit },
    }
  );
}

/** @param change gets the settings as they are in the transaction. @throws ChatError if the caller is no administrator. */
export function changeRealmSettings(
  database: Database,
  log: EventLog,
  change: (now: RealmSettings) => RealmSettings,
  by: Reorganiser,
): Promise<void> {
  return database.write((tx) => {
    rankOf(tx, by);
    const before = realmSettings(tx);
    if (!before) throw new TypeError('there is no organisation yet');
    const changed = change(before);
    const after = { ...changed, name: cleanOrganisationName(changed.name) };
    const { content, deletion, topic } = after.editLimits;
    realms.setSettings(tx, {
      name: after.name,
      description: after.description,
      read_receipts: after.readReceipts,
      bot_creation: after.botCreation,
      content_edit_limit: content,
      deletion_limit: deletion,
      topic_edit_limit: topic,
    });
    publish(tx, log, before, after);
  });
}

function publish(tx: Transaction, log: EventLog, before: RealmSettings, after: RealmSettings): void {
  for (const property of ['name', 'description'] as const) {
    if (before[property] !== after[property]) {
      log.append(tx, { type: 'realm', reach: 'everyone', payload: { op: 'update', property, value: after[property] } });
    }
  }
  const data = {
    ...(before.readReceipts === after.readReceipts ? {} : receiptsView(after.readReceipts)),
    ...(before.botCreation === after.botCreation ? {} : botCreationView(after.botCreation)),
    ...changedLimits(before.editLimits, after.editLimits),
  };
  if (Object.keys(data).length > 0) publishRealm(tx, log, data);
}

function changedLimits(before: RealmSettings['editLimits'], after: RealmSettings['editLimits']): Record<string, number | null> {
  return {
    ...(before.content === after.content ? {} : { message_content_edit_limit_seconds: after.content }),
    ...(before.deletion === after.deletion ? {} : { message_content_delete_limit_seconds: after.deletion }),
    ...(before.topic === after.topic ? {} : { move_messages_within_stream_limit_seconds: after.topic }),
  };
}
