import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { logToStderr } from './log.ts';

it('The log writes the events of one turn of the event loop together and in order, one line of JSON for each', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    logToStderr({ event: 'one' });
    logToStderr({ event: 'two', error: new Error('no') });
    expect(write).not.toHaveBeenCalled();
    await turn();
    expect(write).toHaveBeenCalledOnce();
    const [text] = write.mock.calls[0] ?? [];
    const events = String(text)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
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

it('The log counts the lines that could not be written, and writes that number before the next line', async () => {
  const written: string[] = [];
  let isFull = true;
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text, _, done) => {
    if (!isFull) written.push(String(text));
    process.nextTick(() => done?.(isFull ? new Error('no space is left') : null));
    return !isFull;
  });
  try {
    for (const events of [['one', 'two'], ['three']]) {
      for (const event of events) logToStderr({ event });
      await turn();
    }
    isFull = false;
    for (const event of ['four', 'five']) {
      logToStderr({ event });
      await turn();
    }
    const events = written
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([{ level: 'warn', event: 'log_lines_lost', lines: 3 }, { event: 'four' }, { event: 'five' }]);
    // The last lost line may be incomplete.
    expect(written[0]).toMatch(/^\n/);
  } finally {
    write.mockRestore();
  }
});
