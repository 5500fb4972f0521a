/** The calls of the import screen. */
import {
  administrationPaths as paths,
  importResult,
  importPreview,
  importTable,
  type ImportTable,
} from '@engawa/protocol/administration';

/** Milliseconds. Twenty thousand rows take their time, and so does a line that is slow. */
const patience = 180_000;

export type Table = Pick<ImportTable, 'header' | 'rows'>;

/** @param encoding as somebody chose it who saw that it was told wrongly. */
export const readFile = (file: Blob, encoding?: ImportTable['encoding']) =>
  ({
    method: 'POST',
    path: encoding === undefined ? paths.importRead : `${paths.importRead}?encoding=${encoding}`,
    body: file,
    answer: importTable,
    timeoutMilliseconds: patience,
  }) as const;

export const previewTable = (body: Table) =>
  ({ method: 'POST', path: paths.importPreview, body, answer: importPreview, timeoutMilliseconds: patience }) as const;

export const applyTable = (body: Table & { readonly fingerprint: string }) =>
  ({ method: 'POST', path: paths.importApply, body, answer: importResult, timeoutMilliseconds: patience }) as const;
