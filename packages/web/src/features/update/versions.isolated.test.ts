import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchVersions, type Registration } from './versions.ts';

const hour = 60 * 60_000;

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

/** A browser with a worker, of which another may be on its way. */
function browserWith({ installing = null }: { readonly installing?: object | null } = {}) {
  const asked = vi.fn<(message: unknown) => void>();
  const update = vi.fn<() => Promise<void>>(async () => undefined);
  const register = vi.fn<(address: string) => Promise<Registration>>(async () => ({
    installing,
    waiting: null,
    active: { postMessage: asked },
    update,
  }));
  const workers = Object.assign(new EventTarget(), { register });
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  const heard: string[] = [];
  const says = (data: unknown) => workers.dispatchEvent(new MessageEvent('message', { data }));
  const watch = () =>
    watchVersions({ workers, page, now: () => Date.now(), random: () => 0.5, hear: (version) => void heard.push(version) });
  return { asked, update, register, page, heard, says, watch };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it('[issue 8] has the product kept, and asks the worker that is there which version it knows', async () => {
  const { watch, register, asked, says, heard } = browserWith();
  const watching = watch();
  await settle();
  expect(register).toHaveBeenCalledExactlyOnceWith('/serviceWorker.js');
  expect(asked).toHaveBeenCalledOnce();
  says({ version: 'second' });
  says('something else');
  expect(heard).toEqual(['second']);
  watching.stop();
});

it('[issue 8] asks no worker that another is about to follow, which would know of an older version than the page', async () => {
  const { watch, asked } = browserWith({ installing: {} });
  const watching = watch();
  await settle();
  expect(asked).not.toHaveBeenCalled();
  watching.stop();
});

it('[issue 8] looks again each hour, when the page is looked at after a while, and within a minute of a server that is back', async () => {
  const { watch, update, page } = browserWith();
  const watching = watch();
  await vi.advanceTimersByTimeAsync(hour);
  expect(update).toHaveBeenCalledTimes(2);
  page.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(update).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(hour / 6);
  page.dispatchEvent(new Event('visibilitychange'));
  await settle();
  expect(update).toHaveBeenCalledTimes(3);
  watching.cameBack();
  watching.cameBack();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(update).toHaveBeenCalledTimes(3);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(update).toHaveBeenCalledTimes(4);
  watching.cameBack();
  watching.stop();
  await vi.advanceTimersByTimeAsync(2 * hour);
  expect(update).toHaveBeenCalledTimes(4);
});

it('[issue 8] goes without where the server cannot be reached or the browser keeps nothing, and looks again later', async () => {
  const { watch, register, update } = browserWith();
  register.mockRejectedValueOnce(new DOMException('not here', 'SecurityError'));
  update.mockRejectedValueOnce(new TypeError('cut'));
  const watching = watch();
  await vi.advanceTimersByTimeAsync(2 * hour);
  expect(register).toHaveBeenCalledTimes(3);
  expect(update).toHaveBeenCalledTimes(2);
  watching.stop();
});

it('[issue 8] asks again within a minute for as long as nothing is kept, because the network was cut before it was there', async () => {
  const { watch, register } = browserWith();
  const cut = { installing: null, waiting: null, active: null, update: async () => undefined };
  // While it registers, then while it fetches what is to be kept.
  register.mockRejectedValueOnce(new TypeError('cut')).mockResolvedValueOnce(cut);
  const watching = watch();
  for (const times of [1, 2, 3, 3]) {
    await settle();
    expect(register).toHaveBeenCalledTimes(times);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  watching.stop();
});

it('[issue 8] asks no more for what has come by itself within that minute, nor once it is stopped', async () => {
  const { watch, register } = browserWith();
  const coming: { -readonly [Key in keyof Registration]: Registration[Key] } = {
    installing: {},
    waiting: null,
    active: null,
    update: async () => undefined,
  };
  register.mockResolvedValueOnce(coming).mockRejectedValueOnce(new TypeError('cut'));
  const watching = watch();
  await settle();
  coming.active = { postMessage: () => undefined };
  await vi.advanceTimersByTimeAsync(hour / 2);
  expect(register).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(hour / 2);
  expect(register).toHaveBeenCalledTimes(2);
  watching.stop();
  await vi.advanceTimersByTimeAsync(hour);
  expect(register).toHaveBeenCalledTimes(2);
});
