import { expect, it } from 'vitest';
import { addressOfMessage, messageAt } from './address.ts';

it.each([
  [`https://chat.example/${addressOfMessage(7, 12)}`, { conversation: 7, messageId: 12 }],
  [`http://localhost:8080/${addressOfMessage('direct:4,9', 12)}`, { conversation: 'direct:4,9', messageId: 12 }],
  ['https://chat.example/#narrow/channel/7-sales.2Fa/topic/x.20y/near/12', { conversation: 7, messageId: 12 }],
  ['https://chat.example/#narrow/stream/7/near/12', { conversation: 7, messageId: 12 }],
  ['https://chat.example/#narrow/dm/9,4-dm/near/12', { conversation: 'direct:4,9', messageId: 12 }],
  ['https://chat.example/#narrow/pm-with/4,9-group/near/12', { conversation: 'direct:4,9', messageId: 12 }],
])('[R2.2] messageAt returns the conversation and message of %s', (href, place) => {
  expect(messageAt(href)).toEqual(place);
});

it.each([
  'https://chat.example/#/stream/7',
  'https://chat.example/#/stream/7/message/x',
  'https://chat.example/other#/stream/7/message/12',
  'https://chat.example/#narrow/channel/sales/near/12',
  'https://chat.example/#narrow/channel/7,8-x/near/12',
  'https://chat.example/#narrow/search/7/near/12',
  'https://chat.example/#narrow/channel/7-x/topic/y',
  '/#/stream/7/message/12',
  'mailto:a@b.example',
])('[R2.2] messageAt finds no message in %s', (href) => {
  expect(messageAt(href)).toBeUndefined();
});
