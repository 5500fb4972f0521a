import { BlockList, isIPv6 } from 'node:net';
import type { Reader } from '@engawa/chat-server/database';
import { hookOrigins } from './store.ts';

/** An address to which administrators allow posts now. */
export interface AllowedAddress {
  readonly url: URL;
  readonly isPrivate: boolean;
}

/** The origin in its usual form; undefined for another text. */
export function originIn(text: string): string | undefined {
  const url = httpUrl(text);
  // A browser accepts a `*` in a host, but here each origin stands for itself.
  return url?.pathname === '/' && url.search === '' && !url.host.includes('*') ? url.origin : undefined;
}

export function allowedAddress(reader: Reader, address: string): AllowedAddress | undefined {
  const url = httpUrl(address);
  const row = url && hookOrigins.of(reader, url.origin);
  return url && row && { url, isPrivate: row.is_private === 1 };
}

function httpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (!url || !['https:', 'http:'].includes(url.protocol)) return undefined;
  return url.username === '' && url.password === '' && url.hash === '' ? url : undefined;
}

/** Networks that an administrator can allow for an origin: private and shared networks, and this machine. */
const privateNetworks = blockListOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
]);

/** Addresses that never are a receiver: the services of clouds that answer with keys, multicast, and reserved networks. */
const neverReceivers = blockListOf([
  '0.0.0.0/8',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/128',
  // Addresses that contain an IPv4 address, which a gateway might reach.
  '::ffff:0:0/96',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '2001::/23',
  '100::/64',
  '2001:db8::/32',
  'fd00:ec2::254/128',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);

type Networks = Readonly<Record<'ipv4' | 'ipv6', BlockList>>;

/** A list per family, because a list with networks of both also finds the IPv4 addresses in its IPv6 networks. */
function blockListOf(networks: readonly string[]): Networks {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    lists[family].addSubnet(address, Number(bits), family);
  }
  return lists;
}

const loopback = blockListOf(['::1/128']);

/** Whether a post may go to this IP address. */
export function isReceiver(ip: string, isPrivate: boolean): boolean {
  if (contains(loopback, ip)) return isPrivate;
  return !contains(neverReceivers, ip) && (isPrivate || !contains(privateNetworks, ip));
}

function contains(networks: Networks, ip: string): boolean {
  const family = familyOf(ip);
  return networks[family].check(ip, family);
}

function familyOf(ip: string): 'ipv4' | 'ipv6' {
  return isIPv6(ip) ? 'ipv6' : 'ipv4';
}
