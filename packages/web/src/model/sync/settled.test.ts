import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorAnswer } from '../../../test/chatServer.ts';
import { general, ken } from '../../../test/organisation.ts';
import { eg, ready, stopAll } from '../../../test/example.ts';
import { selectSettled } from '../connection/state.ts';
import { selectTimeline } from '../outbox/selectors.ts';

afterEach(stopAll);

/** A tab that draws only on command. */
async function undrawn() {
  const waiting: (() => void)[] = [];
  const example = await eg({ environment: { onceDrawn: (then) => void waiting.push(then) } });
  await example.server.send(ken, general.stream_id, 'おはようございます');
  return { ...example, waiting, draw: () => waiting.splice(0).forEach((then) => then()) };
}

describe('Starting the model', () => {
  it('[R9.2] Until the first messages are drawn, the model requests only what the screen shows', async () => {
    const { server, model, waiting, draw } = await undrawn();
    model.start();
    await ready(model);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    expect(selectSettled(model.state())).toBe(false);
    expect(server.called('GET /api/people')).toHaveLength(0);

    draw();
    expect(selectSettled(model.state())).toBe(true);
    await vi.waitFor(() => expect(server.called('GET /api/people')).toHaveLength(1));
  });

  it('The start of the model also ends if the first messages cannot be loaded', async () => {
    const { server, model, draw, waiting } = await undrawn();
    // The newest messages of all streams load, but not those of the open one.
    server.fail('GET /messages', 'none', errorAnswer(400, 'BAD_REQUEST', 'Broken'));
    model.start();
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    expect(selectTimeline(model.state(), general.stream_id)?.status).toBe('failed');
    draw();
    expect(selectSettled(model.state())).toBe(true);
  });

  it('First messages that take longer than three seconds do not delay what else the screen needs', async () => {
    const { server, model, clock, draw, waiting } = await undrawn();
    // The newest messages of all streams load, but not those of the open one.
    server.fail('GET /messages', 'none', 'hold');
    model.start();
    await vi.waitFor(() => expect(server.called('GET /messages')).toHaveLength(2));
    expect(waiting).toHaveLength(0);
    await clock.pass(3000);
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    draw();
    expect(selectSettled(model.state())).toBe(true);

    // Then the rest is loaded again, because the connection may have been away before.
    server.release();
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
  });

  it('The model polls for events once the first messages are drawn, or after three seconds without them', async () => {
    const { server, model, clock, draw } = await undrawn();
    model.start();
    await ready(model);
    await vi.dynamicImportSettled();
    expect(server.called('GET /events')).toHaveLength(0);
    draw();
    await vi.waitFor(() => expect(server.polling()).toBe(1));

    const late = await undrawn();
    late.model.start();
    await ready(late.model);
    await vi.waitFor(() => expect(late.clock.waits()).toContain(3000));
    await late.clock.pass(3000);
    await vi.waitFor(() => expect(late.server.polling()).toBe(1));
    expect(clock.waits()).not.toContain(3000);
  });

  it('If the member is signed out while the model starts, the model makes no further request', async () => {
    const { server, model, draw } = await undrawn();
    model.start();
    await ready(model);
    model.signOut();
    const asked = server.calls.length;
    draw();
    expect(selectSettled(model.state())).toBe(true);
    // Modules that are loaded before the request would have arrived by then.
    await vi.dynamicImportSettled();
    expect(server.calls).toHaveLength(asked);
  });
});
