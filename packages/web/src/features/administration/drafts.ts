/** What an administrator has begun and not sent: it stays while they look elsewhere, and leaving the page asks first. */
import { useEffect } from 'react';
import type { ImportResult, ImportPreview, ImportTable, OrganisationSettings, SentLink } from '@engawa/protocol/administration';
import type { Failure } from '../../model/connection/failure.ts';
import type { Draft } from './import/importDraft.ts';
import { createDraftStore, useDraftStore } from './draftStore.ts';

export type Encoding = ImportTable['encoding'];

/** What was sent, and what the server said to it. */
export interface Checked {
  readonly draft: Draft;
  readonly preview: ImportPreview;
}

export interface OpenFile {
  readonly file: File;
  readonly encoding: Encoding;
  readonly draft: Draft;
  /** Somebody has typed into it, or left out rows. */
  readonly isMended: boolean;
  /** Undefined until it was checked for the first time. */
  readonly checked: Checked | undefined;
}

export type Busy = 'reading' | 'checking' | 'applying';

export interface ImportState {
  readonly open: OpenFile | undefined;
  readonly done: ImportResult | undefined;
  readonly busy: Busy | undefined;
  readonly failure: Failure | undefined;
  /** Something else changed before it could be applied, so that it was checked again. */
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
/** Of the organisation's settings, those that were touched. */
export const organisationStore = createDraftStore<Partial<OrganisationSettings>>({});

export type Waiting = ImportResult['without_password'][number];

/** Links for those who have no password yet: each is told once, so they stay until they are in a file. */
export interface LinksState {
  readonly made: readonly { readonly member: Waiting; readonly sent: SentLink }[];
  readonly failed: readonly { readonly member: Waiting; readonly failure: Failure }[];
  readonly busy: 'making' | 'stopping' | undefined;
  readonly isSaved: boolean;
}
export const noLinks: LinksState = { made: [], failed: [], busy: undefined, isSaved: false };
export const linksStore = createDraftStore<LinksState>(noLinks);
export const isUnsaved = ({ made, busy, isSaved }: LinksState): boolean => busy !== undefined || (made.length > 0 && !isSaved);

/** Where the page would be loaded anew, or closed. */
export function useAskBeforeLoss(): void {
  const { open } = useDraftStore(importStore);
  const touched = useDraftStore(organisationStore);
  const links = useDraftStore(linksStore);
  const asks = open?.isMended === true || isUnsaved(links) || Object.keys(touched).length > 0;
  useEffect(() => {
    if (!asks) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [asks]);
}
