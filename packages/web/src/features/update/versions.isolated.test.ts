import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchVersions, type Registration } from './versions.ts';

const hour = 60 * 60_000;

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

/** A browser with a service worker. A newer one may be installing. */
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
    watchVersions({ workers, page, now: () => Date.now(), random: () => 0.5, onVersion: (version) => void heard.push(version) });
  return { asked, update, register, page, heard, says, watch };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it('The page registers the service worker and asks the active worker for its version', async () => {
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

it('The page does not ask the active service worker for its version while a newer worker is being installed', async () => {
  const { watch, asked } = browserWith({ installing: {} });
  const watching = watch();
  await settle();
  expect(asked).not.toHaveBeenCalled();
  watching.stop();
});

it('The page checks for a new version each hour, when it becomes visible, and within a minute after a reconnect', async () => {
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

it('The page checks for a version again an hour after the server was unreachable or the service worker forbidden', async () => {
  const { watch, register, update } = browserWith();
  register.mockRejectedValueOnce(new DOMException('not here', 'SecurityError'));
  update.mockRejectedValueOnce(new TypeError('cut'));
  const watching = watch();
  await vi.advanceTimersByTimeAsync(2 * hour);
  expect(register).toHaveBeenCalledTimes(3);
  expect(update).toHaveBeenCalledTimes(2);
  watching.stop();
});

it('The page registers the service worker again each minute until one is active', async () => {
  const { watch, register } = browserWith();
  const cut = { installing: null, waiting: null, active: null, update: async () => undefined };
  // The network fails during the registration, then during the installation.
  register.mockRejectedValueOnce(new TypeError('cut')).mockResolvedValueOnce(cut);
  const watching = watch();
  for (const times of [1, 2, 3, 3]) {
    await settle();
    expect(register).toHaveBeenCalledTimes(times);
    await vi.advanceTimersByTimeAsync(60_000);
  }
  watching.stop();
});

it('The page does not register the service worker again once a worker is active, or after stop', async () => {
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
