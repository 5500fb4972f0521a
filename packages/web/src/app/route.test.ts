import { expect, it } from 'vitest';
import { addressOfDirect, addressOfMessage, addressOfStream } from '../model/streams/address.ts';
import { addressOfList, addressOfSection, parseHash, tabOf } from './route.ts';

it('[R2.2] parseHash returns the screen of every address that the product builds', () => {
  expect(parseHash(addressOfStream(7))).toEqual({ conversation: 7 });
  expect(parseHash(addressOfMessage(7, 12))).toEqual({ conversation: 7, messageId: 12 });
  expect(parseHash(addressOfList('settings'))).toEqual({ list: 'settings' });
  expect(parseHash(addressOfList('mentions'))).toEqual({ list: 'mentions' });
});

it('[R2.1] [R2.2] parseHash leads from /logout to the settings, which ask whether to sign out', () => {
  expect(parseHash('#/logout')).toEqual({ list: 'settings', asksToSignOut: true });
});

it('[R1.8] [R2.2] parseHash accepts the members of a direct conversation in any order', () => {
  expect(addressOfDirect([9, 4])).toBe('#/direct/4,9');
  expect(parseHash('#/direct/9,4')).toEqual({ conversation: 'direct:4,9' });
  expect(parseHash(addressOfMessage('direct:4,9', 12))).toEqual({ conversation: 'direct:4,9', messageId: 12 });
});

it.each([
  ['#narrow/channel/7-sales.2Fa/topic/x.20y/near/12', { conversation: 7, messageId: 12 }],
  ['#narrow/stream/7-sales/topic/x.20y', { conversation: 7 }],
  ['#narrow/channel/7', { conversation: 7 }],
  ['#narrow/dm/9,4-dm/near/12', { conversation: 'direct:4,9', messageId: 12 }],
  ['#narrow/pm-with/4,9-pm', { conversation: 'direct:4,9' }],
])("[R2.2] parseHash opens the conversation of the address %s, which another client's link has", (hash, route) => {
  expect(parseHash(hash)).toEqual(route);
});

const tooMany = `#/direct/${Array.from({ length: 101 }, (_, index) => index).join()}`;
const nowhere = [
  '',
  '#',
  '#/',
  '#/nowhere',
  '#/stream/',
  '#/stream/x',
  '#/stream/-1',
  '#/stream/4,9',
  '#/direct/',
  '#/direct/4,',
  '#/direct/x',
  '#narrow/channel/sales/near/12',
  '#narrow/channel/7,8-x',
  '#narrow/search/7',
  '#narrow',
  tooMany,
];

it.each(nowhere)('[R2.2] parseHash ignores the unknown address %j', (hash) => {
  expect(parseHash(hash)).toEqual({});
});

it('[R2.2] parseHash returns the stream alone if its address contains an invalid message id', () => {
  expect(parseHash('#/stream/7/message/')).toEqual({ conversation: 7 });
  expect(parseHash('#/stream/7/message/x')).toEqual({ conversation: 7 });
  expect(parseHash('#/stream/7/elsewhere/12')).toEqual({ conversation: 7 });
});

it('[I7.2] parseHash returns the sections of the administration page, which is shown in the settings tab', () => {
  expect(parseHash(addressOfSection('departments'))).toEqual({ list: 'administration', section: 'departments' });
  expect(parseHash(addressOfList('administration'))).toEqual({ list: 'administration' });
  expect(parseHash('#/administration/nowhere')).toEqual({ list: 'administration' });
  expect(parseHash('#/settings/members')).toEqual({ list: 'settings' });
  expect(tabOf('administration')).toBe('settings');
});

it('[I5.5] The list of mentions is shown in the streams tab', () => {
  expect([tabOf('mentions'), tabOf('streams'), tabOf('settings')]).toEqual(['streams', 'streams', 'settings']);
});
