import { accessSync, constants, mkdirSync } from 'node:fs';

/** The data directory cannot be made or written to. Its message is one line for the person who starts the product. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';

  constructor(directory: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `起動できません: DATA_DIR のディレクトリ ${directory} に書き込めません。`
        + ` / Cannot start: the directory of DATA_DIR, ${directory}, cannot be written to (${reason}).`,
      { cause },
    );
  }
}

/** @throws DataDirectoryError */
export function prepareDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataDirectoryError(directory, error);
  }
}
