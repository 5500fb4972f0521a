import { expect, it } from 'vitest';
import { deviceOf } from './device.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`, 'Edge', 'Windows'],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webKit} Chrome/140.0.0.0 Safari/537.36`, 'Chrome', 'ChromeOS'],
  [`Mozilla/5.0 (X11; Linux x86_64) ${webKit} HeadlessChrome/140.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox', 'Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari',
    'Mac',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iPhone',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/143.0 Mobile/15E148 Safari/605.1.15',
    'Firefox',
    'iPad',
  ],
  [`Mozilla/5.0 (Linux; Android 16; Pixel 9) ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`, 'Chrome', 'Android'],
  [
    `Mozilla/5.0 (Linux; Android 16; SM-S931B) ${webKit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet',
    'Android',
  ],
  ['curl/8.5.0', null, null],
  ['', null, null],
])('The list of sessions names the browser and the system of the User-Agent header %j', (userAgent, browser, system) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system });
});
