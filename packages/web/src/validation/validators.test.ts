import { describe, expect, it } from 'vitest';
import * as is from './validators.ts';
import { complaintOf, type Validator } from './validators.ts';

const yes = () => true;
const no = () => false;

/** Accepted and rejected texts by the validator's name. */
const vectors: readonly [name: string, validator: Validator, good: readonly string[], bad: readonly string[]][] = [
  ['required', is.required, ['縁側', ' a '], ['', '  ', '\u3000\n']],
  ['requiredIf', is.requiredIf(yes), ['a'], ['', ' ']],
  ['requiredIf, when it does not apply', is.requiredIf(no), ['', 'a'], []],
  ['requiredUnless', is.requiredUnless(no), ['a'], ['', ' ']],
  ['requiredUnless, when it does not apply', is.requiredUnless(yes), ['', 'a'], []],
  ['minLength', is.minLength(3), ['', 'abc', '山田太'], ['ab', '👨‍👩‍👧‍👦が']],
  ['maxLength', is.maxLength(3), ['', 'abc', '👨‍👩‍👧‍👦が!'], ['abcd']],
  ['minValue', is.minValue(3), ['', '3', '3.5'], ['2.9', '-4', 'three', '３']],
  ['maxValue', is.maxValue(3), ['', '3', '-4'], ['3.01', 'x']],
  ['between', is.between(1, 5), ['', '1', '5', '2.5'], ['0.9', '6', 'x']],
  ['integer', is.integer, ['', '0', '-12'], ['1.5', '1e3', 'a', '-']],
  ['decimal', is.decimal, ['', '0', '-1.25', '.5'], ['1,5', '1.', 'a', '-']],
  ['numeric', is.numeric, ['', '0012'], ['-1', '1.5', '１']],
  ['alpha', is.alpha, ['', 'Engawa'], ['a1', '縁', 'a b']],
  ['alphaNum', is.alphaNum, ['', 'a1'], ['a_1', 'あ']],
  ['email', is.email, ['', 'ai@engawa.example', 'a.b+c@d.co.jp'], ['ai', 'ai@', '@engawa.example', 'a b@c.jp']],
  ['url', is.url, ['', 'https://例え.jp/道', 'http://a.b:8080/?q=1#x'], ['engawa.example', 'javascript:alert(1)', 'http://']],
  ['ipAddress', is.ipAddress, ['', '192.0.2.1', '0.0.0.0'], ['256.0.0.1', '1.2.3', '::1']],
  ['macAddress', is.macAddress(), ['', '00:1B:44:11:3a:b7'], ['00:1B:44:11:3a', '001B44113ab7', '0g:1B:44:11:3a:b7']],
  ['macAddress with another separator', is.macAddress('-'), ['00-1B-44-11-3A-B7'], ['00:1B:44:11:3a:b7']],
  ['macAddress without one', is.macAddress(''), ['001B44113ab7'], ['001B44113ab', '00:1B:44:11:3a:b7']],
  ['sameAs', is.sameAs(() => 'himitsu'), ['', 'himitsu'], ['Himitsu']],
  ['and', is.and(is.minLength(2), is.alpha), ['', 'ab'], ['a', 'a1']],
  ['or', is.or(is.email, is.url), ['', 'a@b.jp', 'https://a.jp'], ['a']],
  ['not', is.not(is.numeric), ['', 'a'], ['12']],
];

it.each(vectors)('[R5.4] the validator %s accepts and rejects the right texts', (_, validator, good, bad) => {
  expect(good.filter((text) => !validator.safeParse(text).success)).toEqual([]);
  expect(bad.filter((text) => validator.safeParse(text).success)).toEqual([]);
});

describe('complaintOf', () => {
  it('[R5.4] complaintOf returns the name of the first validator that fails', () => {
    const wanted = [is.required, is.maxLength(20), is.email];
    expect(complaintOf(' ', wanted)).toBe('required');
    expect(complaintOf('a very long text without end', wanted)).toBe('maxLength');
    expect(complaintOf('a', wanted)).toBe('email');
    expect(complaintOf('a@b.jp', wanted)).toBeUndefined();
  });

  it('[R5.4] complaintOf follows the other field that a validator depends on', () => {
    let other = 'a';
    const same = is.sameAs(() => other);
    expect(complaintOf('b', [same])).toBe('sameAs');
    other = 'b';
    expect(complaintOf('b', [same])).toBeUndefined();
  });
});
