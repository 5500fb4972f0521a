import { errorAnswer } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { callers } from './callers.ts';
import { type Asking, methods } from './request.ts';
import type { Outcome, Row } from './row.ts';

/** Asks each row of each call for each caller. @param it the world, once it is made. */
export function answersAsTheTableSays<World extends Asking>(
  calls: readonly (readonly [call: string, rows: readonly Row<World>[] | undefined])[],
  world: () => World,
): void {
  describe.each(calls)('%s', (call, rows) => {
    const method = methods.find((each) => call.startsWith(`${each} `)) ?? 'GET';

    it.each([...(rows ?? [])])('[R6.1] answers each as the table says: $what', async ({ asks, answers }) => {
      for (const caller of callers) {
        const { status, text } = await world().ask(method, caller, await asks(world(), caller));
        expect([caller, outcomeOf(status, text)]).toEqual([caller, answers.get(caller)]);
      }
    });
  });
}

function outcomeOf(status: number, text: string): Outcome | { readonly status: number; readonly code: string } {
  return status < 400 ? 'ok' : { status, code: errorAnswer.parse(JSON.parse(text)).code };
}
