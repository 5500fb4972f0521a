import { act } from '@testing-library/react';
import { Calls } from '../src/features/calls/Calls.tsx';
import { ModelProvider } from '../src/hooks/model.ts';
import type { Locale } from '../src/i18n/locale.ts';
import type { CallCommands } from '../src/model/calls/ownCall.ts';
import { createSignal } from '../src/model/signal.ts';
import type { State } from '../src/model/state.ts';
import type { Example } from './example.ts';
import { exampleCommands } from './exampleCall.ts';
import { screenOf } from './screen.tsx';

interface CallScreensOptions {
  /** If this tab does not poll, another tab rings. */
  readonly polls?: boolean;
  readonly locale?: Locale;
}

/** The screens of calls over a state that the test sets. */
export async function callScreens(first: Partial<State>, { polls = false, locale = 'ja' }: CallScreensOptions = {}) {
  const commands = exampleCommands();
  const changed = createSignal();
  let changes = first;
  const withCalls = ({ model }: Example) => ({
    ...model,
    state: () => ({ ...model.state(), ...changes }),
    subscribe: changed.subscribe,
    polls: () => polls,
    calls: { isUsed: true, use: async <Done,>(run: (part: CallCommands) => Done | Promise<Done>) => run(commands) },
  });
  const screen = await screenOf(
    (example) => (
      <ModelProvider value={withCalls(example)}>
        <Calls addressOf={() => '#'} onGo={() => undefined} />
      </ModelProvider>
    ),
    { locale },
  );
  const become = (next: Partial<State>) =>
    act(async () => {
      changes = next;
      changed.emit();
    });
  return { ...screen, commands, become };
}
