import type { Encoding } from '@engawa/protocol';
import type { Random } from '../testing/random.ts';

/** Texts that programs often handle wrongly. */
const hostileTexts = [
  ...'% _ %s%n%d ${7*7}{{7*7}} $1$&$` <script>alert(1)</script> ../../../etc/passwd __proto__ constructor'.split(' '),
  ...'prototype toString hasOwnProperty null undefined true NaN Infinity 0 -0 -1 1.5 1e3 1e400 0x10 007'.split(' '),
  ...'2147483648 9007199254740993 9223372036854775808 -9223372036854775809 1,2,3 tanaka@example.com'.split(' '),
  ...'TANAKA@EXAMPLE.COM tanaka@example.com,sato@example.com a@b@c engawa-file, engawa-file,a,b,c,d newest'.split(' '),
  ...'first_unread stream channel private add change_all realm_emoji zulip_extra_emoji 1f642-200d-1f642'.split(' '),
  '',
  ' ',
  '\0',
  'a\0b',
  '\u0001\u0002\u001b[2J\u007f',
  '\r\nX-Injected: 1',
  '\u2028\u2029',
  '\ufeff',
  '\ufffd',
  '\u202eevil',
  '\u200b',
  'e\u0301'.repeat(40),
  'Z̷̢̧̛͈̰̦͈'.repeat(20),
  '👨‍👩‍👧‍👦'.repeat(30),
  '😀'.repeat(10_001),
  '縁'.repeat(20_000),
  'ﷺ'.repeat(60),
  'x'.repeat(61),
  'x'.repeat(200_000),
  'İıſK',
  '１２３',
  '٣',
  "' OR '1'='1",
  "'; DROP TABLE message; --",
  '" OR ""="',
  '1'.repeat(400),
  '@**all** @**|1** @_**x|999999** @*group*',
  '#**総務部>話題**',
  '*'.repeat(3000),
  '_'.repeat(3000),
  '~'.repeat(3000),
  '`'.repeat(3000),
  '['.repeat(3000),
  '> '.repeat(1000),
  '- '.repeat(1000),
  '(('.repeat(1000),
  '```\n'.repeat(500),
  `http://${'a.'.repeat(2000)}`,
  `[x](${'('.repeat(1000)}`,
  '/me ',
];

/** JSON values and almost valid JSON. */
const hostileJson = [
  ...'null true false 0 -0 -1 1.5 1e400 -1e400 9007199254740993 12345678901234567890 "" "__proto__" {} [] [[]]'.split(' '),
  ...'[{}] [null] [""] [0] [-1] [1.5] [1e300] [1,"a"] ["a",1] [true] {"__proto__":{"admin":true}}'.split(' '),
  ...'{"__proto__":true} {"constructor":{"prototype":{"admin":true}}} {"toString":true,"hasOwnProperty":false}'.split(' '),
  ...'{"length":1e9} [{"name":"__proto__"}] [{"name":""}] [{"operator":"__proto__","operand":"x"}]'.split(' '),
  ...'[{"operator":"stream","operand":{"a":1}}] [{"operator":"stream","operand":-1}]'.split(' '),
  ...'[{"operator":"stream","operand":""}] [{"operator":"stream","operand":[1]}]'.split(' '),
  ...'[{"operator":"sender","operand":1e15}] [{"operator":"dm","operand":[]}]'.split(' '),
  ...'[{"operator":"dm","operand":[1,1,1]}] [{"operator":"dm","operand":"nobody@example.com"}]'.split(' '),
  ...'[{"operator":"id","operand":"x"}] [{"operator":"near","operand":1}]'.split(' '),
  ...'[{"operator":"is","operand":"unread","negated":true}] [{"operator":"is","operand":"mentioned"}]'.split(' '),
  ...'[{"operator":"has","operand":"link"}] [{"operator":"in","operand":"home"}]'.split(' '),
  ...'[{"operator":"streams","operand":"public"}] [["is","starred"],["is","unread"]] [["stream"]] undefined'.split(' '),
  ...'NaN {a:1} [1,] [1 "a'.split(' '),
  '" "',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '["\\u0000"]',
  '["\\ud800"]',
  '[{"name":"\\u0000"}]',
  '[{"name":"\\ud800"}]',
  '[{"name":"部屋","color":"red","description":"\\n"}]',
  '[{"name":"部屋","extra":1}]',
  '[{"name":"同じ"},{"name":"同じ"}]',
  '[{"name":"一","name":"二"}]',
  '[{"operator":"topic","operand":"\\ud800"}]',
  '[{"operator":"search","operand":"\\"a OR b*"}]',
  '[["stream","総務部"]]',
  "['a']",
  '/* 1 */ 1',
  `${'['.repeat(2000)}${']'.repeat(2000)}`,
  `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
  `[${'1,'.repeat(6000)}1]`,
  `["${'x'.repeat(30_000)}"]`,
];

const jsonMutations: readonly ((json: string) => string)[] = [
  (json) => `[${json}]`,
  (json) => `[[${json}]]`,
  (json) => `{"value":${json}}`,
  (json) => `{"__proto__":${json}}`,
  (json) => JSON.stringify(json),
  (json) => JSON.stringify(JSON.stringify(json)),
  (json) => `[${json},${json}]`,
  (json) => `[null,${json}]`,
  (json) => `${json},`,
  (json) => ` \t\n${json} `,
  (json) => json.slice(0, -1),
  (json) => json.slice(1),
  (json) => json.replaceAll('"', "'"),
  (json) => json.replace(/\d+/, '-1'),
  (json) => json.replace(/\d+/, '1e99'),
  (json) => json.replace(/\[/, '[null,'),
  (json) => json.replace(/"(\w)/, '"\\ud83d$1'),
  (json) => json.toUpperCase(),
];

/** Path segments in place of an id. None is the id of a user or stream that the test needs. */
export const hostilePathSegments = [
  ...'0 000 -1 1.5 1e3 0x1 999999999 999999999999999 9007199254740993 %31%20 %00 %FF % %2e%2e .. . %2F / 1/2'.split(' '),
  ...'null undefined NaN true {message_id} __proto__ constructor tanaka@example.com %F0%9F%98%80 nobody'.split(' '),
  '',
  '9'.repeat(400),
  "1'--",
  '１',
  '٣',
  '\ud800',
  'x'.repeat(8000),
];

/** Parameter names that no call reads. */
export const unknownNames = [
  ...'__proto__ constructor prototype hasOwnProperty toString idle_queue_timeout allow_empty_topic_name user'.split(' '),
  ...'api_key a[b] a[]'.split(' '),
  '',
  ' ',
  '名前',
  '\0',
  'x'.repeat(5000),
  "'; --",
];

export function mutatedValue(random: Random, encoding: Encoding, value: string): string {
  if (encoding === 'json' && random.chance(0.35)) return random.pick(jsonMutations)(value);
  if (encoding === 'json' && random.chance(0.6)) return random.pick(hostileJson);
  // The `to` parameter of a message is a text that is parsed as JSON.
  if (encoding === 'text' && random.chance(0.15)) return random.pick(hostileJson);
  if (random.chance(0.15)) return random.pick([value.toUpperCase(), ` ${value} `, value + value, value.slice(0, -1)]);
  return random.pick(hostileTexts);
}
