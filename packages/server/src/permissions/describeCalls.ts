import { errorAnswer } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { callers } from './callers.ts';
import { type PermissionWorld, methods } from './request.ts';
import type { Row } from './row.ts';

/** Adds a test for each row and caller, which makes the row's request. @param world is called when the tests run. */
export function describeCalls<World extends PermissionWorld>(
  calls: readonly (readonly [call: string, rows: readonly Row<World>[] | undefined])[],
  world: () => World,
): void {
  describe.each(calls)('%s', (call, rows) => {
    const method = methods.find((each) => call.startsWith(`${each} `)) ?? 'GET';

    it.each([...(rows ?? [])])('[R6.1, R6.2] Each caller gets the answer of the table: $what', async ({ request, outcomes }) => {
      for (const caller of callers) {
        const { status, text } = await world().ask(method, caller, await request(world(), caller));
        expect([caller, outcomeOf(status, text)]).toEqual([caller, outcomes.get(caller)]);
      }
    });
  });
}

function outcomeOf(status: number, text: string) {
  return status < 400 ? 'ok' : { status, code: errorAnswer.parse(JSON.parse(text)).code };
}
