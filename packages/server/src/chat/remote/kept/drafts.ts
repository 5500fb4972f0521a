import { checkDraftSize, chatRefused, draftText } from '@engawa/chat-server/parts';
import type { Reader } from '@engawa/chat-server/database';
import { type Draft, type ParametersOut, createDrafts, deleteDraft, editDraft, getDrafts } from '@engawa/protocol';
import { z } from 'zod';
import { type Handler, type HandlerDependencies, ownHandler } from './handlers.ts';
import { synchronizesDrafts } from './settings.ts';
import { type DraftRow, type WrittenDraft, drafts } from './store.ts';

type DraftRequest = ParametersOut<typeof editDraft>['draft'];

/**
 * Zulip has drafts without revisions, so that devices could overwrite each other. The product answers these calls alone, and the
 * drafts of Zulip's own clients are others.
 */
export function draftHandlers(dependencies: HandlerDependencies): Handler[] {
  const { database, now, publish } = dependencies;
  const clock = { now };
  return [
    ownHandler(getDrafts, dependencies, (_, memberId) => {
      requireSynchronization(database.reader, memberId);
      const all = draftsOf(database.reader, memberId);
      return { count: all.length, drafts: all };
    }),

    ownHandler(createDrafts, dependencies, async ({ drafts: requested }, memberId) => ({
      ids: await database.write((tx) => {
        requireSynchronization(tx, memberId);
        const ids = requested.map((draft) => drafts.insert(tx, memberId, written(draft, clock)));
        checkDraftSize(drafts.size(tx, memberId));
        const added = ids.flatMap((id) => drafts.one(tx, memberId, id) ?? []).map(draftView);
        if (added.length > 0) tx.afterCommit(() => publish([memberId], { type: 'drafts', op: 'add', drafts: added }));
        return ids;
      }),
    })),

    ownHandler(editDraft, dependencies, ({ draft_id, draft, revision }, memberId) =>
      database.write((tx) => {
        requireSynchronization(tx, memberId);
        const { id } = ownDraft(tx, memberId, draft_id, revision);
        drafts.replace(tx, memberId, id, written(draft, clock));
        checkDraftSize(drafts.size(tx, memberId));
        const after = draftView(ownDraft(tx, memberId, id, undefined));
        tx.afterCommit(() => publish([memberId], { type: 'drafts', op: 'update', draft: after }));
      }),
    ),

    ownHandler(deleteDraft, dependencies, ({ draft_id, revision }, memberId) =>
      database.write((tx) => {
        requireSynchronization(tx, memberId);
        const { id } = ownDraft(tx, memberId, draft_id, revision);
        drafts.remove(tx, memberId, id);
        tx.afterCommit(() => publish([memberId], { type: 'drafts', op: 'remove', draft_id: id }));
      }),
    ),
  ];
}

/** The drafts of a member, the one with the oldest edit first. */
export function draftsOf(reader: Reader, memberId: number): Draft[] {
  return drafts.of(reader, memberId).map(draftView);
}

const recipientIds = z.array(z.int());

function draftView({ id, type, recipients, topic, content, edited, revision }: DraftRow): Draft {
  return { id, type, to: recipientIds.parse(JSON.parse(recipients)), topic, content, timestamp: edited, revision };
}

function requireSynchronization(reader: Reader, memberId: number): void {
  if (!synchronizesDrafts(reader, memberId)) throw chatRefused.because('User has disabled synchronizing drafts.');
}

/** @throws ChatError the same for a missing draft and one of another member. */
function ownDraft(reader: Reader, memberId: number, id: number, revision: number | undefined): DraftRow {
  const draft = drafts.one(reader, memberId, id);
  if (!draft) throw chatRefused.noSuchDraft();
  if (revision !== undefined && revision !== draft.revision) throw chatRefused.otherRevision();
  return draft;
}

/** Whether the recipients exist is for Zulip to say when the message is sent: only the member reads the draft. */
function written(draft: DraftRequest, clock: { readonly now: () => number }): WrittenDraft {
  if (draft.type === 'stream' && draft.to.length !== 1) {
    throw chatRefused.because('Must specify exactly 1 stream ID for stream messages');
  }
  return { ...draftText(draft, clock), recipients: JSON.stringify(draft.type === '' ? [] : draft.to) };
}
