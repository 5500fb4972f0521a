import type { Fields } from './fields.ts';

/** A call that the server refuses, as the recordings have it. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly fields: Fields;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    message: string,
    { status = 400, headers = {}, ...fields }: Fields & { status?: number; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message);
    this.status = status;
    this.fields = { result: 'error', msg: message, code: 'BAD_REQUEST', ...fields };
    this.headers = headers;
  }
}

const challenge = { headers: { 'www-authenticate': 'Basic realm="zulip"' } };
export const unauthorized = (message: string) => new Refusal(message, { status: 401, code: 'UNAUTHORIZED', ...challenge });

export const mustBeAdministrator = () => new Refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' });

export const badNarrow = (desc: string) => new Refusal(`Invalid narrow operator: ${desc}`, { desc, code: 'BAD_NARROW' });

export const badQueue = (queue_id: string) =>
  new Refusal(`Bad event queue ID: ${queue_id}`, { queue_id, code: 'BAD_EVENT_QUEUE_ID' });

/** A path that the server does not have is answered with a page, not with JSON. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound';
}
