import type { FastifyRequest } from 'fastify';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** True for the address of a trusted proxy, whose forwarded headers count. */
export type Trust = (address: string | undefined) => boolean;

/** `10.0.0.0/8`, `2001:db8::1`: a network or an address. */
const named = /^(?<address>[\da-f.:]+)(?:\/(?<bits>\d{1,3}))?$/i;

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

export function addressOfClient({ ip, socket }: Pick<FastifyRequest, 'ip' | 'socket'>): string {
  // X-Forwarded-For may contain what the client wrote; if it is no address, the proxy's own address counts.
  const address = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  return /^::ffff:(?<v4>[\d.]+)$/i.exec(address)?.groups?.['v4'] ?? address;
}

/** THE check for https: of the connection, or as the named proxy forwards it. */
export function cameByHttps({ protocol }: Pick<FastifyRequest, 'protocol'>): boolean {
  return protocol.toLowerCase() === 'https';
}
