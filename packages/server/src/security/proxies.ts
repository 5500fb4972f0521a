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

/**
 * What calls are counted by: an IPv4 address, or of an IPv6 address the 64 bits that one customer of a network has to
 * themselves, who could otherwise call from as many addresses as they like.
 */
export function networkOf(request: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  const address = addressOfClient(request);
  if (isIP(address) !== 6) return address;
  const [before = '', after] = address.split('%', 1).join('').split('::');
  const front = before.split(':').filter(Boolean);
  const missing = after === undefined ? 0 : 8 - front.length - after.split(':').filter(Boolean).length;
  const groups = [...front, ...Array.from({ length: missing }, () => '0'), ...(after ?? '').split(':')].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}

/** THE word on whether a request came by https: by its connection, or by that of its named proxy. */
export function cameByHttps({ protocol }: Pick<FastifyRequest, 'protocol'>): boolean {
  return protocol.toLowerCase() === 'https';
}
