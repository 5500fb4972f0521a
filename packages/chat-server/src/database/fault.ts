/** A fault of the machine, not of a caller, that prevents all writes. */
export type StorageFault = 'full' | 'read-only' | 'locked' | 'failing';

const ofResult = new Map<number, StorageFault>([
  [5, 'locked'], // SQLITE_BUSY
  [6, 'locked'], // SQLITE_LOCKED
  [8, 'read-only'], // SQLITE_READONLY
  [10, 'failing'], // SQLITE_IOERR
  [13, 'full'], // SQLITE_FULL
  [14, 'failing'], // SQLITE_CANTOPEN
]);
const ofSystem = new Map<unknown, StorageFault>([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EFBIG', 'full'],
  ['EROFS', 'read-only'],
  ['EACCES', 'read-only'],
  ['EPERM', 'read-only'],
  ['EIO', 'failing'],
  ['EMFILE', 'failing'],
  ['ENFILE', 'failing'],
]);

export function storageFaultOf(error: unknown): StorageFault | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  if (error.code !== 'ERR_SQLITE_ERROR') return ofSystem.get(error.code);
  return 'errcode' in error && typeof error.errcode === 'number' ? ofResult.get(error.errcode & 0xff) : undefined;
}
