/** A regular file of an archive. */
export interface TarEntry {
  /** Relative, with slashes. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

const block = 512;
/** Twelve octal digits, one of which is the end. */
const mostBytes = 8 ** 11 - 1;
const mode = 0o600;

/**
 * Writes a tar archive (POSIX.1-2001): a header per file, with an extended header for its path, so that the path may be long and in
 * any script. @param modified Unix seconds, of all files. @throws RangeError for a file above 8 GB or of another size than named
 */
export async function* tarOf(entries: AsyncIterable<TarEntry>, modified: number): AsyncGenerator<Uint8Array, void> {
  for await (const { path, size, content } of entries) {
    const record = pathRecord(path);
    yield header({ type: 'x', name: 'path', size: record.length, modified });
    yield padded(record);
    yield header({ type: '0', name: 'file', size, modified });
    let written = 0;
    for await (const part of content) {
      written += part.length;
      yield part;
    }
    if (written !== size) throw new RangeError(`${path} has ${written} bytes instead of ${size}`);
    yield new Uint8Array(missingIn(size));
  }
  yield new Uint8Array(2 * block);
}

/** A record begins with its own length, which includes the digits of the length. */
function pathRecord(path: string): Uint8Array {
  const rest = Buffer.byteLength(` path=${path}\n`);
  let length = rest;
  while (length !== rest + String(length).length) length = rest + String(length).length;
  return Buffer.from(`${length} path=${path}\n`);
}

interface Header {
  readonly type: '0' | 'x';
  readonly name: string;
  readonly size: number;
  readonly modified: number;
}

function header({ type, name, size, modified }: Header): Uint8Array {
  if (size > mostBytes) throw new RangeError(`a file of ${size} bytes is too large for the archive`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number) =>
    bytes.write(value.toString(8).padStart(length - 1, '0'), at, 'latin1');
  bytes.write(name, 0, 'latin1');
  octal(mode, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(modified, 136, 12);
  // The checksum counts its own field as spaces.
  bytes.fill(' ', 148, 156);
  bytes.write(`${type}`, 156, 'latin1');
  bytes.write('ustar\u000000', 257, 'latin1');
  octal(
    bytes.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  bytes[154] = 0;
  return bytes;
}

function padded(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([bytes, new Uint8Array(missingIn(bytes.length))]);
}

const missingIn = (size: number): number => (block - (size % block)) % block;
