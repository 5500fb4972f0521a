import { z } from 'zod/mini';
import { parameterError } from './errors.ts';

/**
 * How a value is written (chat API, "Wire conventions"). `count`: a decimal number from 0; `path`: a decimal id in the path;
 * `segment`: a text in the path.
 */
export type Encoding = 'text' | 'count' | 'json' | 'path' | 'segment';

export interface Parameter<Schema extends z.ZodMiniType = z.ZodMiniType> {
  readonly encoding: Encoding;
  readonly schema: Schema;
  readonly optional: boolean;
  /** Older names of the parameter, which the server still accepts. */
  readonly aliases: readonly string[];
  /** Whether a malformed value gets the error REQUEST_VARIABLE_INVALID, as in Zulip, and not a sentence about its type. */
  readonly strict: boolean;
}

export type Parameters = Readonly<Record<string, Parameter>>;

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** The bots that may make a call: all of them, all but those that only send, or none because the call is for people. */
export type BotCallers = 'all' | 'readers' | 'none';

export interface Endpoint<P extends Parameters = Parameters, Answer extends z.ZodMiniType = z.ZodMiniType> {
  readonly method: Method;
  /** The path after `{site}/api/v1`. `{name}` stands for the `path` parameter of that name. */
  readonly path: string;
  readonly authentication: 'basic' | 'none';
  /** Whether the call counts against the rate limit. A long poll does not. */
  readonly counted: boolean;
  readonly bots: BotCallers;
  readonly parameters: P;
  readonly answer: Answer;
}

type Shape<P extends Parameters> = { -readonly [K in keyof P]: P[K]['schema'] };

export type ParametersIn<E extends Endpoint> = z.input<z.ZodMiniObject<Shape<E['parameters']>>>;
export type ParametersOut<E extends Endpoint> = z.output<z.ZodMiniObject<Shape<E['parameters']>>>;
/** The fields of an answer without `result` and `msg`, which every answer has. */
export type AnswerIn<E extends Endpoint> = z.input<E['answer']>;
export type AnswerOut<E extends Endpoint> = z.output<E['answer']>;

type ParameterOptions = Partial<Pick<Parameter, 'aliases' | 'strict'>>;

function parameter<S extends z.ZodMiniType>(
  encoding: Encoding,
  schema: S,
  { aliases = [], strict = false }: ParameterOptions = {},
): Parameter<S> {
  let optional: boolean | undefined;
  return {
    encoding,
    schema,
    // Computed at the first use, because only the server needs it.
    get optional() {
      return (optional ??= schema.safeParse(undefined).success);
    },
    aliases,
    strict,
  };
}

// The annotations let the bundler drop unused endpoints (`treeshake` in packages/web/vite.config.ts).
/* @__NO_SIDE_EFFECTS__ */
export const text = <S extends z.ZodMiniType>(schema: S, options?: ParameterOptions) => parameter('text', schema, options);
/* @__NO_SIDE_EFFECTS__ */
export const json = <S extends z.ZodMiniType>(schema: S, options?: ParameterOptions) => parameter('json', schema, options);
/* @__NO_SIDE_EFFECTS__ */
export const count = () => parameter('count', z.optional(z.int()));
/** A text in the path, such as an email. It has no slash. */
/* @__NO_SIDE_EFFECTS__ */
export const segment = <S extends z.ZodMiniType>(schema: S) => parameter('segment', schema);

type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;
type PathParameters<Path extends string> = { readonly [Name in PathNames<Path>]: Parameter<z.ZodMiniInt> };
type NoParameters = Readonly<Record<never, never>>;

const emptyAnswer = /* @__PURE__ */ z.object({});

/** Describes a call. Each `{name}` in the path is a parameter, by default an integer. Without `answer` the answer has no fields. */
export function endpoint<
  const Path extends string,
  const P extends Parameters = NoParameters,
  Answer extends z.ZodMiniType = typeof emptyAnswer,
>(
  method: Method,
  path: Path,
  description?: Partial<Endpoint<P, Answer>>,
): Endpoint<P & Omit<PathParameters<Path>, keyof P>, Answer>;
/* @__NO_SIDE_EFFECTS__ */
export function endpoint(method: Method, path: string, description: Partial<Endpoint> = {}): Endpoint {
  const { authentication = 'basic', counted = true, bots = 'readers', answer = emptyAnswer } = description;
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => [name, parameter('path', z.int())]);
  return {
    method,
    path,
    authentication,
    counted,
    bots,
    parameters: { ...Object.fromEntries(inPath), ...description.parameters },
    answer,
  };
}

export function encodeParameters(
  endpoint: Endpoint,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const encoded: Record<string, string> = {};
  for (const [name, { encoding }] of Object.entries(endpoint.parameters)) {
    const value = values[name];
    if (value === undefined || encoding === 'path' || encoding === 'segment') continue;
    encoded[name] = encoding === 'json' ? JSON.stringify(value) : String(value);
  }
  return encoded;
}

/**
 * Decodes received values in the order of declaration.
 * @param parts the values that the router found in the path.
 * @throws ParameterError naming the first parameter that is missing or malformed.
 */
export function decodeParameters<E extends Endpoint>(
  endpoint: E,
  arrived: (name: string) => string | undefined,
  parts: Readonly<Record<string, number | string>> = {},
): ParametersOut<E> {
  const values: Record<string, unknown> = {};
  // Faster than a list of entries, which each call would make again.
  for (const name in endpoint.parameters) {
    const parameter = endpoint.parameters[name];
    const value = parameter && decodeParameter(name, parameter, arrived, parts);
    if (value !== undefined) values[name] = value;
  }
  return values as ParametersOut<E>;
}

function decodeParameter(
  name: string,
  parameter: Parameter,
  arrived: (name: string) => string | undefined,
  parts: Readonly<Record<string, number | string>>,
): unknown {
  if (parameter.encoding === 'path') return parameter.schema.parse(parts[name]);
  if (parameter.encoding === 'segment') {
    const parsed = parameter.schema.safeParse(parts[name]);
    if (parsed.success) return parsed.data;
    throw parameterError.unfit(name, parsed.error.issues[0]);
  }
  const raw = arrivedAs(name, parameter, arrived);
  // Some clients send null or an empty text for an absent value (zulip-js sends event_types=null).
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

function arrivedAs(name: string, { aliases }: Parameter, arrived: (name: string) => string | undefined): string | undefined {
  let raw = arrived(name);
  let first = raw === undefined ? undefined : name;
  for (const alias of aliases) {
    const other = arrived(alias);
    if (other === undefined) continue;
    if (first !== undefined) throw parameterError.confusing(first, alias);
    [raw, first] = [other, alias];
  }
  return raw;
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

/** The path with its `{name}` parts replaced. @throws TypeError when a part has no value. */
export function fillPath({ path }: Endpoint, values: Readonly<Record<string, unknown>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = values[name];
    if (part === undefined) throw new TypeError(`${path}: missing path parameter ${name}`);
    return encodeURIComponent(String(part));
  });
}
