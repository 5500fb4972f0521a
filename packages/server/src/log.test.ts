import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { logToStderr } from './log.ts';

it('what happens in one turn of the event loop is written at once, a line of JSON for each, in its order', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    logToStderr({ event: 'one' });
    logToStderr({ event: 'two', error: new Error('no') });
    expect(write).not.toHaveBeenCalled();
    await turn();
    expect(write).toHaveBeenCalledOnce();
    const [text] = write.mock.calls[0] ?? [];
    const events = String(text).trimEnd().split('\n').map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { level: 'info', event: 'one' },
      { level: 'error', event: 'two', error: { message: 'no' } },
    ]);
    logToStderr({ event: 'three' });
    await turn();
    expect(write).toHaveBeenCalledTimes(2);
  } finally {
    write.mockRestore();
  }
});
