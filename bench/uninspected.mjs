/*
 * Pages that run as in a member's browser. Playwright enables the inspector in its pages, for which V8 parses a script a second time as
 * soon as it creates an error: 130 ms of the start at 4x.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findOrInstallBrowser } from '../scripts/browser.mjs';
import { flags } from './page.mjs';

const pageTiming = readFileSync(join(import.meta.dirname, 'pageTiming.js'), 'utf8');
/** Milliseconds in which a new window has loaded Chromium's own address bar, which makes 378 requests. */
const windowOpens = 2000;

export async function launchUninspected() {
  const profile = mkdtempSync(join(tmpdir(), 'engawa-bench-'));
  const chromium = spawn(
    findOrInstallBrowser(),
    [...flags, '--headless', '--no-first-run', `--user-data-dir=${profile}`, '--remote-debugging-port=0'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const connection = await connect(await addressIn(chromium.stderr));

  return {
    /** Opens the address without cache and cookies. @returns milliseconds until the condition of pageTiming.js is drawn */
    async shown(address, condition, { slower }) {
      const { browserContextId } = await connection.call('Target.createBrowserContext');
      const { targetId } = await connection.call('Target.createTarget', { url: 'about:blank', browserContextId });
      const { sessionId } = await connection.call('Target.attachToTarget', { targetId, flatten: true });
      const call = (method, parameters) => connection.call(method, parameters, sessionId);
      await call('Page.enable');
      await call('Emulation.setDeviceMetricsOverride', { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false });
      await call('Emulation.setLocaleOverride', { locale: 'ja-JP' });
      await call('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
      await call('Emulation.setCPUThrottlingRate', { rate: slower });
      await call('Page.addScriptToEvaluateOnNewDocument', { source: pageTiming });
      await pause(windowOpens);
      await call('Page.navigate', { url: address });
      const expression = `Promise.race([bench.shown(${JSON.stringify(condition)}), bench.tooLong()])`;
      const { result, exceptionDetails } = await call('Runtime.evaluate', { expression, awaitPromise: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      await connection.call('Target.disposeBrowserContext', { browserContextId });
      return result.value;
    },
    async close() {
      const exited = once(chromium, 'exit');
      await connection.call('Browser.close');
      await exited;
      rmSync(profile, { recursive: true, maxRetries: 5 });
    },
  };
}

async function addressIn(output) {
  let text = '';
  for await (const chunk of output) {
    text += chunk;
    const address = /ws:\S+/.exec(text)?.[0];
    if (address) return address;
  }
  throw new Error(`Chromium ended without an address for its debugging protocol: ${text}`);
}

async function connect(address) {
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const calls = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(data);
    const { resolve, reject } = calls.get(id) ?? {};
    calls.delete(id);
    if (error) reject?.(new Error(error.message));
    else resolve?.(result);
  });
  let last = 0;
  return {
    call(method, params = {}, sessionId = undefined) {
      const { promise, ...settle } = Promise.withResolvers();
      calls.set((last += 1), settle);
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
      return promise;
    },
  };
}
