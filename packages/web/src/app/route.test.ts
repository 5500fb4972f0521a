import { expect, it } from 'vitest';
import { addressOfStream, addressOfTab, parseHash } from './route.ts';

it('[R2.2] reads the addresses that it writes', () => {
  expect(parseHash(addressOfStream(7))).toEqual({ streamId: 7 });
  expect(parseHash(addressOfTab('settings'))).toEqual({ tab: 'settings' });
});

const nowhere = ['', '#', '#/', '#/nowhere', '#/stream/', '#/stream/x', '#/stream/-1'];

it.each(nowhere)('[R2.2] finds no place in %j', (hash) => {
  expect(parseHash(hash)).toEqual({});
});
