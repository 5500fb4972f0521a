import { describe, expect, it } from 'vitest';
import { isReceiver, originIn } from './origins.ts';

describe('addresses of receivers', () => {
  it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001:80b::200e'])(
    'A post may go to the public address %s',
    (ip) => {
      expect([isReceiver(ip, false), isReceiver(ip, true)]).toEqual([true, true]);
    },
  );

  it.each([
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.8.8.8',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '::1',
    'fc00::1',
    'fdff::1',
  ])('A post goes to the private address %s only if its origin may be private', (ip) => {
    expect([isReceiver(ip, false), isReceiver(ip, true)]).toEqual([false, true]);
  });

  it.each([
    '0.0.0.0',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::ffff:10.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:7f00:1',
    '::7f00:1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    '2001::1',
    'fe80::1',
    'fd00:ec2::254',
    'ff02::1',
  ])('No post goes to the address %s', (ip) => {
    expect([isReceiver(ip, false), isReceiver(ip, true)]).toEqual([false, false]);
  });
});

describe('an origin', () => {
  it.each([
    ['https://hooks.example.com', 'https://hooks.example.com'],
    ['https://HOOKS.example.com:443/', 'https://hooks.example.com'],
    ['http://0x7f.1:8080', 'http://127.0.0.1:8080'],
    ['https://例え.example', 'https://xn--r8jz45g.example'],
  ])('The origin in %s is %s', (text, origin) => {
    expect(originIn(text)).toBe(origin);
  });

  it.each([
    'hooks.example.com',
    'ftp://hooks.example.com',
    'https://hooks.example.com/path',
    'https://hooks.example.com?q=1',
    'https://name:word@hooks.example.com',
    'https://hooks.example.com/#a',
    'https://*.example.com',
    'file:///etc/passwd',
  ])('%s is not the origin of a receiver', (text) => {
    expect(originIn(text)).toBeUndefined();
  });
});
