/** What the person who runs the product can put right, or has to know. Its message is one line in both languages. */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(ja: string, en: string, options?: ErrorOptions) {
    super(`${ja} / ${en}`, options);
  }
}

/** What an error says, in one line; of a failure, what was the reason for it. */
export function reasonOf(error: unknown): string {
  if (error instanceof Failure && error.cause !== undefined) return reasonOf(error.cause);
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ');
}

/** Whether the system says of an error that it is of this kind, as `ENOENT`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
