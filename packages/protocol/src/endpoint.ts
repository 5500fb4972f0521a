import { z } from 'zod';
import { parameterError } from './errors.ts';

/**
 * How one parameter travels (chat API, "Wire conventions"): `text` as it is, `count` as a non-negative decimal number,
 * `json` as JSON text, `path` as the part of the path that bears its name, a decimal id.
 */
export type Encoding = 'text' | 'count' | 'json' | 'path';

export interface Parameter<Schema extends z.ZodType = z.ZodType> {
  readonly encoding: Encoding;
  readonly schema: Schema;
  /** Whether it may be left out. */
  readonly optional: boolean;
  /** Older names under which the same parameter may arrive. */
  readonly aliases: readonly string[];
  /** Answer every malformed value with REQUEST_VARIABLE_INVALID instead of a sentence about its type. */
  readonly strict: boolean;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One call of the chat API. The server serves it and the client calls it from this one description. */
export interface Endpoint<P extends Parameters = Parameters, Answer extends z.ZodType = z.ZodType> {
  readonly method: Method;
  /** Below `{site}/api/v1`; `{name}` stands for the `path` parameter of that name. */
  readonly path: string;
  /** `none` for the two calls that work without credentials. */
  readonly authentication: 'basic' | 'none';
  /** Whether it counts against the rate limit; a call that waits is bounded by its waiting. */
  readonly counted: boolean;
  readonly parameters: P;
  readonly answer: Answer;
}

type Shape<P extends Parameters> = { -readonly [K in keyof P]: P[K]['schema'] };

/** What a caller passes. */
export type ParametersIn<E extends Endpoint> = z.input<z.ZodObject<Shape<E['parameters']>>>;
/** What a handler receives. */
export type ParametersOut<E extends Endpoint> = z.output<z.ZodObject<Shape<E['parameters']>>>;
/** What a handler returns: the answer without `result` and `msg`. */
export type AnswerIn<E extends Endpoint> = z.input<E['answer']>;
/** What a caller receives. */
export type AnswerOut<E extends Endpoint> = z.output<E['answer']>;

interface ParameterOptions {
  readonly aliases?: readonly string[];
  readonly strict?: boolean;
}

function parameter<S extends z.ZodType>(encoding: Encoding, schema: S, options: ParameterOptions = {}): Parameter<S> {
  let optional: boolean | undefined;
  return {
    encoding,
    schema,
    // Found out when it is asked for: only the server does, and a page has a hundred of them.
    get optional() {
      return (optional ??= schema.safeParse(undefined).success);
    },
    aliases: options.aliases ?? [],
    strict: options.strict ?? false,
  };
}

// A bundler may leave out what nobody uses of these. (See `treeshake` in packages/web/vite.config.ts.)
/* @__NO_SIDE_EFFECTS__ */
export const text = <S extends z.ZodType>(schema: S, options?: ParameterOptions) => parameter('text', schema, options);
/* @__NO_SIDE_EFFECTS__ */
export const json = <S extends z.ZodType>(schema: S, options?: ParameterOptions) => parameter('json', schema, options);
/** A part of the path: the id of what the call is about. */
/* @__NO_SIDE_EFFECTS__ */
export const path = () => parameter('path', z.int());
/* @__NO_SIDE_EFFECTS__ */
export const count = <S extends z.ZodType>(schema: S, options?: ParameterOptions) => parameter('count', schema, options);

/* @__NO_SIDE_EFFECTS__ */
export function endpoint<const P extends Parameters, Answer extends z.ZodType>(
  description: Omit<Endpoint<P, Answer>, 'authentication' | 'counted'> & Partial<Pick<Endpoint, 'authentication' | 'counted'>>,
): Endpoint<P, Answer> {
  return { authentication: 'basic', counted: true, ...description };
}

/** Values as they are sent in a query or a form: one text per parameter that has a value. */
export function encodeParameters(
  endpoint: Endpoint,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const encoded: Record<string, string> = {};
  for (const [name, { encoding }] of Object.entries(endpoint.parameters)) {
    const value = values[name];
    if (value === undefined || encoding === 'path') continue;
    encoded[name] = encoding === 'json' ? JSON.stringify(value) : String(value);
  }
  return encoded;
}

/**
 * Values as they arrived, checked in the order of their declaration.
 * @param parts what the router found in the path.
 * @throws ParameterError naming the first parameter that is missing or malformed.
 */
export function decodeParameters<E extends Endpoint>(
  endpoint: E,
  arrived: (name: string) => string | undefined,
  parts: Readonly<Record<string, number>> = {},
): ParametersOut<E> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(endpoint.parameters)) {
    const value = decodeParameter(name, parameter, arrived, parts);
    if (value !== undefined) values[name] = value;
  }
  // The record holds exactly what each parameter's own schema returned.
  return values as ParametersOut<E>;
}

function decodeParameter(
  name: string,
  parameter: Parameter,
  arrived: (name: string) => string | undefined,
  parts: Readonly<Record<string, number>>,
): unknown {
  if (parameter.encoding === 'path') return parameter.schema.parse(parts[name]);
  const names = [name, ...parameter.aliases].filter((each) => arrived(each) !== undefined);
  const [first, second] = names;
  if (first !== undefined && second !== undefined) throw parameterError.confusing(first, second);
  const raw = first === undefined ? undefined : arrived(first);
  // Clients that encode an absent value as null or as nothing mean "absent" (zulip-js, event_types=null).
  const meansAbsent = parameter.optional && parameter.encoding !== 'text' && (raw === '' || raw === 'null');
  if (raw === undefined || meansAbsent) {
    if (!parameter.optional) throw parameterError.missing(name);
    return parameter.schema.parse(undefined);
  }

  const value = decodeText(name, parameter, raw);
  const parsed = parameter.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (parameter.strict) throw parameterError.invalid(name, raw);
  throw parameterError.unfit(name, parsed.error.issues[0]);
}

function decodeText(name: string, { encoding, strict }: Parameter, raw: string): unknown {
  if (encoding === 'text' || encoding === 'path') return raw;
  if (encoding === 'count') {
    if (!/^\d{1,15}$/.test(raw)) throw parameterError.invalid(name, raw);
    return Number(raw);
  }
  try {
    return JSON.parse(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw strict ? parameterError.invalid(name, raw) : parameterError.notJson(name);
  }
}

/** The path with its `{name}` parts filled in. */
export function fillPath({ path }: Endpoint, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = values[name];
    if (part === undefined) throw new TypeError(`${path} needs ${name}`);
    return encodeURIComponent(String(part));
  });
}
