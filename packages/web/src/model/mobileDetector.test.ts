import { describe, expect, it } from 'vitest';
import { isMobileDevice } from './mobileDetector.ts';

describe('isMobileDevice', () => {
  it('[R8.3] isMobileDevice throws the specified error without a user agent', () => {
    const message = 'Failed to look for user agent information.';
    expect(() => isMobileDevice(undefined)).toThrow(message);
    expect(() => isMobileDevice('')).toThrow(message);
  });

  it.each([
    ['an iPhone', 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1'],
    ['an Android phone', 'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36'],
    ['an Android tablet', 'Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36'],
    ['Firefox on a telephone', 'Mozilla/5.0 (Android 16; Mobile; rv:153.0) Gecko/153.0 Firefox/153.0'],
    ['a Kindle', 'Mozilla/5.0 (Linux; KFTRWI) AppleWebKit/537.36 Silk/120.0 like Chrome/120.0.0.0 Safari/537.36'],
  ])('[R8.3] isMobileDevice is true for %s', (_, userAgent) => {
    expect(isMobileDevice(userAgent)).toBe(true);
  });

  it.each([
    ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/156.0.0.0 Safari/537.36 Edg/156.0'],
    ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.2 Safari/605.1.15'],
    ['Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'],
  ])('[R8.3] isMobileDevice is false for %s', (_, userAgent) => {
    expect(isMobileDevice(userAgent)).toBe(false);
  });
});
