import { createDrafts, deleteDraft, editDraft, getDrafts } from '@engawa/protocol';
import type { Clock } from '../clock.ts';
import { visibleStreamOf } from '../conversations/access.ts';
import { recipientsIn } from '../conversations/recipients.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import type { Member } from '../identity/member.ts';
import { settings } from '../settings/store.ts';
import { publishDrafts } from './events.ts';
import { type DraftRow, type WrittenDraft, drafts } from './store.ts';
import { type DraftRequest, checkDraftSize, draftText } from './text.ts';
import { draftViews } from './view.ts';

export function draftRoutes(database: Database, log: EventLog, clock: Clock): Route[] {
  return [
    memberRoute(getDrafts, (_, { member }) =>
      database.snapshot((reader) => {
        requireSynchronization(reader, member);
        const all = draftViews(reader, member.id);
        return { count: all.length, drafts: all };
      }),
    ),

    memberRoute(createDrafts, async ({ drafts: requested }, { member }) => ({
      ids: await database.write((tx) => {
        const author = authorNow(tx, member);
        const ids = requested.map((draft) => drafts.insert(tx, author.id, written(tx, author, draft, clock)));
        checkDraftSize(drafts.size(tx, author.id));
        if (ids.length > 0) publishDrafts(tx, log, author.id, { op: 'add', ids });
        return ids;
      }),
    })),

    memberRoute(editDraft, ({ draft_id, draft, revision }, { member }) =>
      database.write((tx) => {
        const author = authorNow(tx, member);
        const before = ownDraft(tx, author, draft_id, revision);
        drafts.replace(tx, before, written(tx, author, draft, clock));
        checkDraftSize(drafts.size(tx, author.id));
        publishDrafts(tx, log, author.id, { op: 'update', id: before.id, revision: before.revision + 1 });
      }),
    ),

    memberRoute(deleteDraft, ({ draft_id, revision }, { member }) =>
      database.write((tx) => {
        const author = authorNow(tx, member);
        const draft = ownDraft(tx, author, draft_id, revision);
        drafts.remove(tx, draft);
        publishDrafts(tx, log, author.id, { op: 'remove', draft_id: draft.id });
      }),
    ),
  ];
}

function authorNow(reader: Reader, member: Member): Member {
  requireSynchronization(reader, member);
  return memberNow(reader, member);
}

function requireSynchronization(reader: Reader, { id }: Member): void {
  if (!settings.get(reader, id, 'enable_drafts_synchronization')) {
    throw refused.because('User has disabled synchronizing drafts.');
  }
}

/** @throws ChatError the same for a missing draft and one of another member. */
function ownDraft(reader: Reader, { id: authorId }: Member, id: number, revision: number | undefined): DraftRow {
  const draft = drafts.one(reader, authorId, id);
  if (!draft) throw refused.noSuchDraft();
  if (revision !== undefined && revision !== draft.revision) throw refused.otherRevision();
  return draft;
}

function written(reader: Reader, author: Member, draft: DraftRequest, clock: Clock): WrittenDraft {
  const text = draftText(draft, clock);
  return { ...text, recipients: JSON.stringify(checkedRecipients(reader, author, draft)) };
}

function checkedRecipients(reader: Reader, author: Member, { type, to }: DraftRequest): readonly number[] {
  if (type === '') return [];
  if (type === 'private') {
    recipientsIn(reader, author, JSON.stringify(to));
    return to;
  }
  const [streamId, ...others] = to;
  if (streamId === undefined || others.length > 0) {
    throw refused.because('Must specify exactly 1 stream ID for stream messages');
  }
  visibleStreamOf(reader, author, streamId);
  return to;
}
