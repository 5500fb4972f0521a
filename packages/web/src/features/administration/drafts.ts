/** Drafts of the administration. They survive navigation, and leaving the page asks first. */
import { useEffect } from 'react';
import { roles, type Role } from '@engawa/protocol';
import type {
  SentInvitations,
  ImportResult,
  ImportPreview,
  ImportTable,
  OrganisationSettings,
  SentLink,
} from '@engawa/protocol/administration';
import type { Failure } from '../../model/connection/failure.ts';
import type { Draft } from './import/importDraft.ts';
import { createDraftStore, useDraftStore } from './draftStore.ts';

export type Encoding = ImportTable['encoding'];

export interface CheckedDraft {
  readonly draft: Draft;
  readonly preview: ImportPreview;
}

export interface OpenFile {
  readonly file: File;
  readonly encoding: Encoding;
  readonly draft: Draft;
  readonly isMended: boolean;
  readonly checked: CheckedDraft | undefined;
}

export type Busy = 'reading' | 'checking' | 'applying';

export interface ImportState {
  readonly open: OpenFile | undefined;
  readonly done: ImportResult | undefined;
  readonly busy: Busy | undefined;
  readonly failure: Failure | undefined;
  /** The organisation changed before the import was applied, so it was checked again. */
  readonly changedMeanwhile: boolean;
}

export const atBeginning: ImportState = {
  open: undefined,
  done: undefined,
  busy: undefined,
  failure: undefined,
  changedMeanwhile: false,
};

export const importStore = createDraftStore<ImportState>(atBeginning);
export const organisationStore = createDraftStore<Partial<OrganisationSettings>>({});

/** `text` holds the addresses that are still to be invited. Links that were not mailed stay until they are copied. */
export interface InvitationState {
  readonly text: string;
  readonly role: Role;
  readonly departments: readonly string[];
  readonly sent: SentInvitations['sent'];
  /** Why addresses in `text` were not invited: the code of the server, or `malformed`. */
  readonly refused: SentInvitations['refused'];
  readonly isCopied: boolean;
}
export const noInvitations: InvitationState = {
  text: '',
  role: roles.member,
  departments: [],
  sent: [],
  refused: [],
  isCopied: false,
};
export const invitationStore = createDraftStore<InvitationState>(noInvitations);

export type MemberWithoutPassword = ImportResult['without_password'][number];

/** Password links of imported members. The server returns each link once, so they stay until they are saved in a file. */
export interface LinksState {
  readonly made: readonly { readonly member: MemberWithoutPassword; readonly sent: SentLink }[];
  readonly failed: readonly { readonly member: MemberWithoutPassword; readonly failure: Failure }[];
  readonly busy: 'making' | 'stopping' | undefined;
  readonly isSaved: boolean;
}
export const noLinks: LinksState = { made: [], failed: [], busy: undefined, isSaved: false };
export const linksStore = createDraftStore<LinksState>(noLinks);
export const isUnsaved = ({ made, busy, isSaved }: LinksState): boolean => busy !== undefined || (made.length > 0 && !isSaved);

/** Asks before the page is reloaded or closed with unsaved drafts. */
export function useAskBeforeLoss(): void {
  const { open } = useDraftStore(importStore);
  const touched = useDraftStore(organisationStore);
  const links = useDraftStore(linksStore);
  const { text, sent, isCopied } = useDraftStore(invitationStore);
  const isInviting = text.trim() !== '' || (!isCopied && sent.some(({ mailed }) => !mailed));
  const asks = open?.isMended === true || isInviting || isUnsaved(links) || Object.keys(touched).length > 0;
  useEffect(() => {
    if (!asks) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [asks]);
}
