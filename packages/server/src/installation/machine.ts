import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Failure, reasonOf } from '../log/failure.ts';

const execute = promisify(execFile);

/** The programs of the system that an installation uses. Tests replace systemctl. */
export interface Machine {
  /** @throws Failure unless the program ends with 0 */
  run(program: string, ...words: string[]): Promise<void>;
  /** @returns whether the program exists and ends with 0 */
  succeeds(program: string, ...words: string[]): Promise<boolean>;
}

export const thisMachine: Machine = {
  async run(program, ...words) {
    try {
      await execute(program, words);
    } catch (error) {
      throw new Failure(
        `${program} ${words.join(' ')} が失敗しました。`,
        `${program} ${words.join(' ')} failed (${reasonOf(error)}).`,
        { cause: error },
      );
    }
  },
  succeeds: (program, ...words) =>
    execute(program, words).then(
      () => true,
      () => false,
    ),
};
