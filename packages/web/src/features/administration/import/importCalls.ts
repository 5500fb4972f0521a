import {
  administrationPaths as paths,
  importLines,
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

const withTable = (table: Table) =>
  ({ method: 'POST', body: new Blob([importLines(table)]), timeoutMilliseconds: patience }) as const;

export const previewTable = (table: Table) =>
  ({ ...withTable(table), path: paths.importPreview, answer: importPreview }) as const;

export const applyTable = (table: Table, fingerprint: string) =>
  ({ ...withTable(table), path: `${paths.importApply}?fingerprint=${fingerprint}`, answer: importResult }) as const;
