import { Script } from 'node:vm';
import { afterEach, expect, it, vi } from 'vitest';
import { checkPattern } from './pattern.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** The first `attempts` checks end at their time limits. @param used milliseconds of processor time in each. */
function timeOut(attempts: number, used: number) {
  const limits: unknown[] = [];
  vi.spyOn(Script.prototype, 'runInContext').mockImplementation((_, options) => {
    limits.push(typeof options === 'object' && options.timeout);
    if (limits.length > attempts) return;
    throw Object.assign(new Error('timed out'), { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' });
  });
  vi.spyOn(process, 'cpuUsage').mockImplementation((before) => ({ user: before ? used * 1000 : 0, system: 0 }));
  return limits;
}

const pattern = '#(?P<id>[0-9]+)';

it('The check of a linkifier is repeated with more time if other programs had the processor', () => {
  const limits = timeOut(2, 20);
  checkPattern(pattern);
  expect(limits).toEqual([500, 1000, 2000]);
});

it('A linkifier is refused as too slow if its check itself used the processor', () => {
  const limits = timeOut(10, 480);
  expect(() => checkPattern(pattern)).toThrow('Bad regular expression: too slow');
  expect(limits).toEqual([500]);
});

it('A linkifier is refused with the reason if the server is too busy to check it', () => {
  const limits = timeOut(10, 20);
  expect(() => checkPattern(pattern)).toThrow('The server is too busy to check this linkifier.');
  expect(limits).toEqual([500, 1000, 2000, 4000]);
});
