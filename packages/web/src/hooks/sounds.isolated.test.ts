import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A browser that plays no sound before the first user input. */
async function silentBrowser() {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.resetModules();
  const allowed = Promise.withResolvers<void>();
  const struck = vi.fn();
  const connect = { connect: () => connect };
  vi.stubGlobal(
    'AudioContext',
    class {
      state = 'suspended';
      currentTime = 0;
      resume = () => allowed.promise;
    },
  );
  vi.stubGlobal(
    'OscillatorNode',
    class {
      connect = () => connect;
      start = struck;
      stop = () => undefined;
    },
  );
  vi.stubGlobal(
    'GainNode',
    class {
      gain = {
        setValueAtTime: () => undefined,
        linearRampToValueAtTime: () => undefined,
        exponentialRampToValueAtTime: () => undefined,
      };
      connect = () => connect;
    },
  );
  const { play, playRing } = await import('./sounds.ts');
  return { play, playRing, struck, allow: () => allowed.resolve() };
}

it('[R2.25.4] play starts a sound as soon as the browser allows sounds', async () => {
  const { play, struck, allow } = await silentBrowser();
  const played = play('ding');
  allow();
  await played;
  expect(struck).toHaveBeenCalledOnce();
});

it('[R2.25.4] play skips a sound if the browser allows sounds only long after the request', async () => {
  const { play, struck, allow } = await silentBrowser();
  const played = [play('ding'), play('ding')];
  vi.advanceTimersByTime(60_000);
  allow();
  await Promise.all(played);
  expect(struck).not.toHaveBeenCalled();
});

it('[R2.10] An incoming call is silent until the member has used the page, and rings with two pairs of tones afterwards', async () => {
  const { playRing, struck, allow } = await silentBrowser();
  const early = playRing();
  vi.advanceTimersByTime(60_000);
  allow();
  await early;
  expect(struck).not.toHaveBeenCalled();
  await playRing();
  expect(struck).toHaveBeenCalledTimes(4);
});
