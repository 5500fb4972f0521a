import { describe, expect, it } from 'vitest';
import { stepOf } from './focus.ts';

describe('stepOf', () => {
  it('stepOf moves by one item and stops at both ends', () => {
    expect(stepOf('ArrowDown', 0, 3)).toBe(1);
    expect(stepOf('ArrowUp', 2, 3)).toBe(1);
    expect(stepOf('ArrowDown', 2, 3)).toBeUndefined();
    expect(stepOf('ArrowUp', 0, 3)).toBeUndefined();
  });

  it('stepOf continues at the other end of a list that wraps', () => {
    expect(stepOf('ArrowDown', 2, 3, { wraps: true })).toBe(0);
    expect(stepOf('ArrowUp', 0, 3, { wraps: true })).toBe(2);
  });

  it('stepOf returns the first item for ArrowDown, and the last for ArrowUp, if no item is active', () => {
    expect(stepOf('ArrowDown', -1, 3, { wraps: true })).toBe(0);
    expect(stepOf('ArrowUp', -1, 3, { wraps: true })).toBe(2);
  });

  it('stepOf for a horizontal list ignores ArrowDown and moves with ArrowRight', () => {
    expect(stepOf('ArrowRight', 0, 3, { axis: 'horizontal' })).toBe(1);
    expect(stepOf('ArrowDown', 0, 3, { axis: 'horizontal' })).toBeUndefined();
  });

  it('stepOf ignores Home and End if the caller needs them in a text field', () => {
    expect(stepOf('End', 0, 3)).toBe(2);
    expect(stepOf('End', 0, 3, { ends: false })).toBeUndefined();
  });

  it('stepOf ignores every key in an empty list', () => {
    expect(stepOf('ArrowDown', -1, 0, { wraps: true })).toBeUndefined();
  });
});
