import { afterEach, expect, it, vi } from 'vitest';
import { eg, ready, shown, stopAll } from '../../../test/example.ts';
import { general, ken } from '../../../test/organisation.ts';
import { selectConnection } from '../connection/state.ts';

const loading = vi.hoisted(() => ({ fails: true }));

vi.mock('./events.ts', (original) => {
  if (loading.fails) throw new TypeError('Failed to fetch dynamically imported module');
  return original();
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

it('A tab that cannot load the code for events during an outage loads it when the network is back', async () => {
  const { server, model, clock, wake } = await eg();
  await server.send(ken, general.stream_id, 'おはようございます');
  const probe = 'GET /server_settings';
  server.fail(probe, ...Array<'cut'>(5).fill('cut'));
  model.start();
  for (const delay of [1000, 2000, 4000, 8000]) await clock.pass(delay);
  await clock.until(16_000);
  expect(server.called(probe)).toHaveLength(5);
  expect(selectConnection(model.state())).toBe('reconnecting');
  loading.fails = false;
  wake();
  await vi.waitFor(() => expect(selectConnection(model.state())).toBe('online'));
  await server.send(ken, general.stream_id, '戻りました');
  await clock.pass(1000);
  await vi.waitFor(() => expect(shown(model, general.stream_id)).toEqual(['おはようございます', '戻りました']));
});
