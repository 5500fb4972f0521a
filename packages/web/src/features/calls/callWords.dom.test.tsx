import { expect, it } from 'vitest';
import { callScreens } from '../../../test/callScreens.tsx';
import { exampleCall, exampleCallState, exampleParticipant, exampleSelf } from '../../../test/exampleCall.ts';
import { ai, ken } from '../../../test/organisation.ts';
import type { Locale } from '../../i18n/locale.ts';
import type { DeviceProblem, OwnCall } from '../../model/calls/ownCall.ts';
import type { State } from '../../model/state.ts';

const own = (change: Partial<OwnCall>): Partial<State> => ({ ownCall: exampleCall(change) });
const before = (...problems: readonly DeviceProblem[]) => own({ phase: 'ready', callId: undefined, participants: [], problems });
const withLink = (link: 'reconnecting' | 'noPath') => own({ participants: [exampleSelf, exampleParticipant({ link })] });
const missed = exampleCallState({ ringing: [] });
const longAgo = { active: 0, idle: 0 };
const nobodyOnline = { ...before(), presences: new Map([[ken.user_id, longAgo]]), now: 1_700_000_000 };

/** Each situation of a call that the member must understand, and what the screens say about it. */
const situations: readonly (readonly [when: string, state: Partial<State>, ja: string | RegExp, en: string | RegExp])[] = [
  [
    'the page is not loaded over https',
    before('insecure'),
    'この接続（http）ではブラウザーがマイクを使わせません。管理者に https のアドレスをお尋ねください。',
    'Your browser does not allow the microphone over this connection (http). Ask an administrator for the https address.',
  ],
  [
    'the member refused the microphone',
    before('refused'),
    'マイクの使用が許可されていません。アドレス欄の鍵の印から許可して、もう一度お試しください。聞くだけで参加することもできます。',
    'The use of the microphone is not allowed. Allow it at the lock in the address bar and try again. You can also join to listen only.',
  ],
  [
    'there is no microphone',
    before('noMicrophone'),
    'マイクが見つかりません。聞くだけで参加できます。',
    'No microphone was found. You can join to listen only.',
  ],
  [
    'there is no camera',
    before('noCamera'),
    'カメラがありません。音声で参加します。',
    'There is no camera. You join with audio.',
  ],
  [
    'another app uses the microphone',
    before('microphoneInUse'),
    'マイクをほかのアプリが使っています。閉じてからもう一度お試しください。',
    'Another app is using the microphone. Close it and try again.',
  ],
  [
    'another app uses the camera',
    before('cameraInUse'),
    'カメラをほかのアプリが使っています。閉じてからもう一度お試しください。',
    'Another app is using the camera. Close it and try again.',
  ],
  [
    'the browser has no WebRTC',
    before('unsupported'),
    'このブラウザーは通話に対応していません。',
    'This browser does not support calls.',
  ],
  [
    'nobody is online',
    nobodyOnline,
    'いまオンラインの方がいません。呼び出すと、30 秒後に不在着信として残ります。',
    'Nobody is online at the moment. If you ring, it becomes a missed call after 30 seconds.',
  ],
  [
    'another device replaces one that was unplugged',
    own({ deviceLost: { lost: 'USB', now: 'Built-in' } }),
    '「USB」が外れました。「Built-in」に切り替えました。',
    '“USB” was unplugged. Switched to “Built-in”.',
  ],
  [
    'no device replaces one that was unplugged',
    own({ deviceLost: { lost: 'USB', now: undefined } }),
    '「USB」が外れました。',
    '“USB” was unplugged.',
  ],
  ['the call was not answered', own({ phase: 'ended', ended: 'unanswered' }), '応答がありませんでした。', 'There was no answer.'],
  [
    'the call was declined',
    own({ phase: 'ended', ended: 'declined' }),
    'いまは出られないとのことです。',
    'They cannot take the call right now.',
  ],
  ['a call was missed', { missedCalls: [missed] }, /^不在着信（石川 健さん、.*7:13）$/, /^Missed call \(石川 健, .*7:13\)$/],
  [
    'the call is full',
    own({ phase: 'ended', ended: 'full' }),
    'この通話は満員です（8 人まで）。',
    'This call is full (up to 8 people).',
  ],
  [
    'there are too many participants for cameras',
    own({ camerasAllowed: false }),
    '7 人以上では音声と画面共有だけになります。',
    'With 7 or more people there is only audio and screen sharing.',
  ],
  [
    'a participant cannot be reached for 15 seconds',
    withLink('noPath'),
    '石川 健さんと直接つながりません。ネットワークが端末どうしの通信を止めている可能性があります（管理者向け: TURN_URL）。',
    'There is no direct connection to 石川 健. The network may block traffic between devices (for administrators: TURN_URL).',
  ],
  [
    'the server that carries the call cannot be reached',
    own({ throughServer: true, participants: [exampleSelf, exampleParticipant({ link: 'noPath' })] }),
    '通話を中継するサーバーにつながりません。ネットワークが通信を止めている可能性があります（管理者向け: CALLS_UDP_PORT、LIVEKIT_URL）。',
    'The server that carries the call cannot be reached. The network may block it (for administrators: CALLS_UDP_PORT, LIVEKIT_URL).',
  ],
  ['the connection to a participant is lost', withLink('reconnecting'), 'つなぎ直しています…', 'Reconnecting…'],
  [
    'the server cannot be reached',
    own({ serverAway: true }),
    'サーバーにつながりませんが、通話は続いています。',
    'The server cannot be reached, but the call goes on.',
  ],
];

const languages: readonly Locale[] = ['ja', 'en'];

for (const locale of languages) {
  for (const [when, state, ja, en] of situations) {
    it(`[R2.10] The screens say in the language ${locale} when ${when}`, async () => {
      const { findByText } = await callScreens({ memberId: ai.user_id, ...state }, { locale });
      expect(await findByText({ ja, en }[locale])).toBeTruthy();
    });
  }
}
