import { inTurns } from '@engawa/chat-server/parts';
import type { Actor, Asker, OrganisationDirectory } from '../chat/backend.ts';
import type { ImportResult, ImportPreview, ImportTable } from '@engawa/protocol/administration';
import type { AuthMode } from '@engawa/protocol/product';
import { refused } from '../http/errors.ts';
import { newDepartmentCode, type Organisation } from '../organisation/organisation.ts';
import type { Encoding } from './encoding.ts';
import { planOf, type ImportPlan } from './plan.ts';
import { fingerprintOf, mayChangeOwners, importStateFor, type ImportStateDependencies } from './state.ts';
import { readTable, type Table } from './table.ts';

export interface ImporterDependencies extends ImportStateDependencies {
  readonly organisation: Pick<Organisation, 'preview' | 'apply'>;
  readonly authMode: AuthMode;
}

/** People who are not in the file stay unchanged. */
export interface Importer {
  read(bytes: Uint8Array, encoding?: Encoding): Promise<ImportTable>;
  /** Changes nothing. @throws RefusedError if the resulting organisation would be invalid. */
  preview(table: Table, by: Actor | Asker): Promise<ImportPreview>;
  /** All or nothing. @throws RefusedError ORGANISATION_CHANGED if the preview with the fingerprint is stale. */
  apply(table: Table, fingerprint: string, by: Actor | Asker): Promise<ImportResult>;
}

interface FingerprintedPlan extends ImportPlan {
  readonly fingerprint: string;
}

export function createImporter(dependencies: ImporterDependencies): Importer {
  const { database, chat, organisation, authMode } = dependencies;

  const planned = async (table: Table, by: Actor | Asker, directory: OrganisationDirectory): Promise<FingerprintedPlan> => {
    const state = await importStateFor(database, directory, table);
    const { takenNames, managesPeople } = directory;
    const context = {
      state,
      mayChangeOwners: await mayChangeOwners(directory, by),
      managesPeople,
      takenNames,
      newDepartmentCode,
    };
    const plan = await inTurns(planOf(table, context));
    return { ...plan, fingerprint: await inTurns(fingerprintOf(table, state, by)) };
  };

  return {
    read: readTable,

    async preview(table, by) {
      const {
        faults,
        faultCount: fault_count,
        ignored,
        plan,
        fingerprint,
      } = await planned(table, by, await chat.directoryAs(by));
      const answer = { faults: [...faults], fault_count, ignored: [...ignored], fingerprint };
      return plan ? { ...answer, difference: await organisation.preview(plan, by) } : answer;
    },

    async apply(table, fingerprint, by) {
      const directory = await chat.directoryAs(by);
      const { plan, fingerprint: now } = await planned(table, by, directory);
      if (!plan || now !== fingerprint) throw refused.organisationChanged();
      const { users, difference } = await organisation.apply(async () => {
        // The organisation may have changed while this import waited for its turn.
        const state = await importStateFor(database, directory, table);
        if ((await inTurns(fingerprintOf(table, state, by))) !== fingerprint) throw refused.organisationChanged();
        return plan;
      }, by);
      const { people } = await directory.overview({ userIds: [...users.values()], emails: [], streamIds: [] });
      const waiting = people.filter(({ isActive, hasPassword }) => authMode === 'password' && isActive && !hasPassword);
      return {
        difference,
        without_password: waiting.map(({ userId, fullName, email }) => ({ user_id: userId, full_name: fullName, email })),
      };
    },
  };
}

export async function importFile(
  importer: Importer,
  bytes: Uint8Array,
  { by, apply, encoding }: { readonly by: Actor | Asker; readonly apply: boolean; readonly encoding?: Encoding | undefined },
): Promise<ImportedFile> {
  const table = await importer.read(bytes, encoding);
  const preview = await importer.preview(table, by);
  const done = apply && preview.difference ? await importer.apply(table, preview.fingerprint, by) : undefined;
  return { table, preview, done };
}

export interface ImportedFile {
  readonly table: ImportTable;
  readonly preview: ImportPreview;
  readonly done: ImportResult | undefined;
}
