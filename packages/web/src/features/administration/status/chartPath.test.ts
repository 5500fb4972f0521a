import type { StatusSeries } from '@engawa/protocol/administration';
import { expect, it } from 'vitest';
import { chartPath } from './chartPath.ts';

const seriesAt = (...times: number[]): StatusSeries => ({
  every: 300,
  times,
  values: {
    messages: [],
    polls: [],
    call_ms: [],
    loop_ms: [],
    commit_ms: [],
    failed_calls: [],
    failed_sign_ins: [],
    free_bytes: [],
  },
});

it('A chart ends with the newest value at the right edge, and its highest value touches the top', () => {
  expect(chartPath(seriesAt(0, 300, 600), [0, 5, 10], 600)).toBe('M0.0 56.0h0.5L120.0 28.0L240.0 0.0');
});

it('A chart has a gap where the server did not run, and where a value is unknown', () => {
  expect(chartPath(seriesAt(0, 900, 1200), [1, 1, null], 1200)).toBe('M0.0 0.0h0.5M180.0 0.0h0.5');
});
