import { afterEach, expect, it, vi } from 'vitest';
import { eg, ready, stopAll } from '../../../test/example.ts';
import { general, ken } from '../../../test/organisation.ts';
import { selectConnection } from '../connection/state.ts';

vi.mock('./events.ts', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

afterEach(stopAll);

it.each([
  ['Zulip', []],
  ['the embedded chat server', ['call_events']],
] as const)('With %s, a tab asks for a reload if the code for events cannot be loaded', async (_, capabilities) => {
  const { server, model, clock } = await eg({ capabilities });
  await server.send(ken, general.stream_id, 'おはようございます');
  model.start();
  if (capabilities.length > 0) await ready(model);
  for (const delay of [1000, 2000]) {
    expect(selectConnection(model.state())).not.toBe('broken');
    await clock.pass(delay);
  }
  await vi.waitFor(() => expect(selectConnection(model.state())).toBe('broken'));
  expect(server.called('GET /events')).toHaveLength(0);
});
