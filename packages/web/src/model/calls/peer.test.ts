import { expect, it } from 'vitest';
import { sessionOf } from './peer.ts';

it('[R2.10] A description names the session of its connection, by which a new connection of the other side is recognised', () => {
  expect(sessionOf('v=0\r\no=- 4611731400430051336 2 IN IP4 127.0.0.1\r\ns=-\r\n')).toBe('4611731400430051336');
  expect(sessionOf('v=0\r\no=mozilla...THIS_IS_SDPARTA-99.0 5316824364562173920 0 IN IP4 0.0.0.0\r\n')).toBe(
    '5316824364562173920',
  );
  expect(sessionOf('v=0\r\n')).toBeUndefined();
});
