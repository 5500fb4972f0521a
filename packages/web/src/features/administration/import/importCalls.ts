import {
  administrationPaths as paths,
  importResult,
  importPreview,
  importTable,
  type ImportTable,
} from '@engawa/protocol/administration';

/** Milliseconds. 20,000 rows over a slow connection need this long. */
const patience = 180_000;

export type Table = Pick<ImportTable, 'header' | 'rows'>;

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
