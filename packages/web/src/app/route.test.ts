import { expect, it } from 'vitest';
import { addressOfMessage, addressOfStream, addressOfList, parseHash, tabOf } from './route.ts';

it('[R2.2] reads the addresses that it writes', () => {
  expect(parseHash(addressOfStream(7))).toEqual({ streamId: 7 });
  expect(parseHash(addressOfMessage(7, 12))).toEqual({ streamId: 7, messageId: 12 });
  expect(parseHash(addressOfList('settings'))).toEqual({ list: 'settings' });
  expect(parseHash(addressOfList('mentions'))).toEqual({ list: 'mentions' });
});

const nowhere = ['', '#', '#/', '#/nowhere', '#/stream/', '#/stream/x', '#/stream/-1'];

it.each(nowhere)('[R2.2] finds no place in %j', (hash) => {
  expect(parseHash(hash)).toEqual({});
});

it('[R2.2] opens the stream where the message of an address is none', () => {
  expect(parseHash('#/stream/7/message/')).toEqual({ streamId: 7 });
  expect(parseHash('#/stream/7/message/x')).toEqual({ streamId: 7 });
  expect(parseHash('#/stream/7/elsewhere/12')).toEqual({ streamId: 7 });
});

it('[I5.5] shows the mentions under the tab of the streams', () => {
  expect([tabOf('mentions'), tabOf('streams'), tabOf('settings')]).toEqual(['streams', 'streams', 'settings']);
});
