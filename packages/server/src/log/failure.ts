/** A failure that the operator can repair or must know. Its message is one line in both languages. */
export class Failure extends Error {
  override readonly name: string = 'Failure';

  constructor(ja: string, en: string, options?: ErrorOptions) {
    super(`${ja} / ${en}`, options);
  }
}

/** Returns the error's message on one line; for a `Failure`, the message of its cause. */
export function reasonOf(error: unknown): string {
  if (error instanceof Failure && error.cause !== undefined) return reasonOf(error.cause);
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
