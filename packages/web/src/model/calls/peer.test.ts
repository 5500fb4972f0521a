import { expect, it } from 'vitest';
import { sessionOf, withPauses } from './peer.ts';

it('[R2.10] A description names the session of its connection, by which a new connection of the other side is recognised', () => {
  expect(sessionOf('v=0\r\no=- 4611731400430051336 2 IN IP4 127.0.0.1\r\ns=-\r\n')).toBe('4611731400430051336');
  expect(sessionOf('v=0\r\no=mozilla...THIS_IS_SDPARTA-99.0 5316824364562173920 0 IN IP4 0.0.0.0\r\n')).toBe(
    '5316824364562173920',
  );
  expect(sessionOf('v=0\r\n')).toBeUndefined();
});

it('[R2.10] A description asks for Opus without packets during silence, in the words of Chromium and of Firefox', () => {
  expect(withPauses('a=fmtp:111 minptime=10;useinbandfec=1\r\na=fmtp:96 level-asymmetry-allowed=1\r\n')).toBe(
    'a=fmtp:111 minptime=10;useinbandfec=1;usedtx=1\r\na=fmtp:96 level-asymmetry-allowed=1\r\n',
  );
  const firefox = 'a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1;usedtx=1\r\n';
  expect(withPauses(firefox)).toBe(firefox);
});
