import type { FastifyRequest } from 'fastify';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** Whether an address is that of a proxy which was named, so that what it says of a request's origin is believed. */
export type Trust = (address: string | undefined) => boolean;

/** `10.0.0.0/8`, `2001:db8::1`: one address, or those that begin alike. */
const named = /^(?<address>[\da-f.:]+)(?:\/(?<bits>\d{1,3}))?$/i;

/** @returns undefined where one of them is neither an address nor a network. */
export function trustIn(proxies: readonly string[]): Trust | undefined {
  const list = new BlockList();
  for (const proxy of proxies) {
    const { address = '', bits } = named.exec(proxy)?.groups ?? {};
    const family = familyOf(address);
    const most = family === 'ipv4' ? 32 : 128;
    if (isIP(address) === 0 || Number(bits ?? 0) > most) return undefined;
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => address !== undefined && isIP(address) !== 0 && list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** Where a request comes from: behind a named proxy by the proxy's word, elsewhere by the connection's. */
export function addressOfClient({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  // A proxy may hand on what its own client wrote. What is no address is not taken for one.
  const address = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  return /^::ffff:(?<v4>[\d.]+)$/i.exec(address)?.groups?.['v4'] ?? address;
}

/** THE word on whether a request came by https: by its connection, or by that of its named proxy. */
export function cameByHttps({ protocol }: Pick<FastifyRequest, 'protocol'>): boolean {
  return protocol.toLowerCase() === 'https';
}
