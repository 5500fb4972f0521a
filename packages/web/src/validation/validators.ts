/** R5.4: validators of input. Each is a schema whose error is its name. All but the required ones accept an empty text. */
import { graphemesOf } from '@engawa/folding';
import { z } from 'zod/mini';

export type Validator = z.ZodMiniType<string>;

const rule = (name: string, holds: (text: string) => boolean): Validator => z.string().check(z.refine(holds, { error: name }));
const unlessEmpty = (name: string, holds: (text: string) => boolean): Validator =>
  rule(name, (text) => text === '' || holds(text));
const matching = (name: string, pattern: RegExp): Validator => unlessEmpty(name, (text) => pattern.test(text));

const isFilled = (text: string): boolean => text.trim() !== '';
const holds = (validator: Validator, text: string): boolean => validator.safeParse(text).success;

export const required = rule('required', isFilled);
export const requiredIf = (condition: () => boolean): Validator => rule('requiredIf', (text) => !condition() || isFilled(text));
export const requiredUnless = (condition: () => boolean): Validator =>
  rule('requiredUnless', (text) => condition() || isFilled(text));

function lengthOf(text: string): number {
  return [...graphemesOf(text)].length;
}

export const minLength = (least: number): Validator => unlessEmpty('minLength', (text) => lengthOf(text) >= least);
export const maxLength = (most: number): Validator => unlessEmpty('maxLength', (text) => lengthOf(text) <= most);

const isNumber = (text: string): boolean => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text.trim());

export const minValue = (least: number): Validator => unlessEmpty('minValue', (text) => isNumber(text) && Number(text) >= least);
export const maxValue = (most: number): Validator => unlessEmpty('maxValue', (text) => isNumber(text) && Number(text) <= most);
export const between = (least: number, most: number): Validator =>
  unlessEmpty('between', (text) => isNumber(text) && Number(text) >= least && Number(text) <= most);

export const integer = matching('integer', /^-?\d+$/);
export const decimal = matching('decimal', /^-?(\d+(\.\d+)?|\.\d+)$/);
export const numeric = matching('numeric', /^\d+$/);

export const alpha = matching('alpha', /^[a-z]+$/i);
export const alphaNum = matching('alphaNum', /^[a-z\d]+$/i);
export const email = unlessEmpty('email', (text) => z.email().safeParse(text).success);
export const url = unlessEmpty('url', (text) => /^https?:\/\//i.test(text) && URL.canParse(text));
export const ipAddress = unlessEmpty('ipAddress', (text) => z.ipv4().safeParse(text).success);
/** Six pairs of hexadecimal digits with the separator between them; it may be empty. */
export const macAddress = (separator = ':'): Validator =>
  unlessEmpty('macAddress', (text) => {
    const pairs = separator === '' ? (text.match(/../g) ?? []) : text.split(separator);
    return pairs.join(separator) === text && pairs.length === 6 && pairs.every((pair) => /^[\da-f]{2}$/i.test(pair));
  });
export const sameAs = (other: () => string): Validator => unlessEmpty('sameAs', (text) => text === other());

export const and = (...validators: readonly Validator[]): Validator =>
  rule('and', (text) => validators.every((each) => holds(each, text)));
export const or = (...validators: readonly Validator[]): Validator =>
  rule('or', (text) => validators.some((each) => holds(each, text)));
export const not = (validator: Validator): Validator => unlessEmpty('not', (text) => !holds(validator, text));

export function complaintOf(text: string, validators: readonly Validator[]): string | undefined {
  for (const validator of validators) {
    const complaint = validator.safeParse(text).error?.issues[0]?.message;
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}
