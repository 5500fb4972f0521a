import { get as getByHttp } from 'node:http';
import { get as getByHttps } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { type Configuration, addressOf } from '../configuration.ts';
import { healthPath } from '../http/health.ts';

/** Asks the Engawa that runs with these settings on this machine. */
export async function isHealthy({ host, port, tls }: Configuration): Promise<boolean> {
  const address = new URL(healthPath, addressOf(host, port, tls !== undefined));
  return new Promise((resolve) => {
    // The certificate is for the public name, not for the address of this machine.
    const request = tls ? getByHttps(address, { rejectUnauthorized: false }) : getByHttp(address);
    request
      .on('response', (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      })
      .on('error', () => resolve(false))
      .setTimeout(5000, () => request.destroy());
  });
}

/** @param seconds after which it gives up. @param hasEnded whether the service will not become healthy any more. */
export async function becomesHealthy(
  configuration: Configuration,
  seconds: number,
  hasEnded: () => Promise<boolean>,
): Promise<boolean> {
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if (await isHealthy(configuration)) return true;
    if (await hasEnded()) return false;
    await setTimeout(500);
  }
  return false;
}
