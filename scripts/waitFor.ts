import { vi } from 'vitest';

// One second, the default of `vi.waitFor`, is too short on a busy machine. Vitest has no setting for it.
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 30_000, interval: 10, ...options });
