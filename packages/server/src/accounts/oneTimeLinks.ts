import type { Database } from '@engawa/chat-server/database';
import { type Role, role } from '@engawa/protocol';
import { z } from 'zod';
import { refused } from '../http/errors.ts';
import type { LinkKind } from '../database/schema.ts';
import { createToken, hashOf, isToken } from '../sessions/seal.ts';
import { type LinkRow, oneTimeLinks } from './store.ts';

interface Terms {
  readonly invitation: { readonly email: string; readonly role: Role; readonly departments: readonly string[] };
  /** The link stops working when the account's email changes or the account is deactivated. */
  readonly password: { readonly userId: number; readonly email: string; readonly deactivations: number };
}

const terms: { readonly [Kind in LinkKind]: z.ZodType<Terms[Kind]> } = {
  invitation: z.object({ email: z.string(), role, departments: z.array(z.string()) }),
  password: z.object({ userId: z.int(), email: z.string(), deactivations: z.int() }),
};

const life: Readonly<Record<LinkKind, number>> = { invitation: 7 * 24 * 60 * 60, password: 24 * 60 * 60 };

export interface Link<Kind extends LinkKind> {
  readonly id: number;
  readonly terms: Terms[Kind];
  readonly madeBy: number | null;
  readonly made: number;
  readonly ends: number;
}

interface NewLink<Kind extends LinkKind> {
  readonly kind: Kind;
  /** A new link ends the earlier link with the same purpose, for example the same email. */
  readonly purpose: string;
  readonly terms: Terms[Kind];
  readonly madeBy: number | null;
}

/** Only the hash of a link's token is stored. */
export interface OneTimeLinks {
  create<Kind extends LinkKind>(link: NewLink<Kind>): Promise<{ readonly token: string; readonly ends: number }>;
  find<Kind extends LinkKind>(kind: Kind, token: string): Link<Kind>;
  /** Of two concurrent calls only the first succeeds; if `act` fails, the link is valid again. */
  use<Kind extends LinkKind, Result>(kind: Kind, token: string, act: (link: Link<Kind>) => Promise<Result>): Promise<Result>;
  all<Kind extends LinkKind>(kind: Kind, most: number): readonly Link<Kind>[];
  end(kind: LinkKind, id: number): Promise<boolean>;
  endFor(kind: LinkKind, purposes: readonly string[]): Promise<void>;
}

export function createOneTimeLinks(database: Database, now: () => number): OneTimeLinks {
  const seconds = () => Math.floor(now() / 1000);
  return {
    async create({ kind, purpose, terms: asked, madeBy }) {
      const token = createToken();
      const made = seconds();
      const ends = made + life[kind];
      await database.write((tx) => {
        oneTimeLinks.removeOld(tx, made);
        oneTimeLinks.remove(tx, kind, purpose);
        const row = { token_hash: hashOf(token), kind, purpose, terms: JSON.stringify(asked), made_by: madeBy, made, ends };
        oneTimeLinks.insert(tx, { id: null, ...row });
      });
      return { token, ends };
    },

    find(kind, token) {
      const row = isToken(token) ? oneTimeLinks.find(database.reader, kind, hashOf(token), seconds()) : undefined;
      if (!row) throw refused.linkNotValid();
      return linkOf(kind, row);
    },

    async use(kind, token, act) {
      const row = await database.write((tx) => oneTimeLinks.take(tx, kind, hashOf(token), seconds()));
      if (!row) throw refused.linkNotValid();
      try {
        return await act(linkOf(kind, row));
      } catch (error) {
        await database.write((tx) => oneTimeLinks.insert(tx, row));
        throw error;
      }
    },

    all: (kind, most) => oneTimeLinks.all(database.reader, kind, seconds(), most).map((row) => linkOf(kind, row)),
    end: (kind, id) => database.write((tx) => oneTimeLinks.removeById(tx, kind, id) === 1),
    endFor: (kind, purposes) =>
      database.write((tx) => {
        for (const purpose of purposes) oneTimeLinks.remove(tx, kind, purpose);
      }),
  };
}

function linkOf<Kind extends LinkKind>(kind: Kind, row: LinkRow): Link<Kind> {
  const schema: z.ZodType<Terms[Kind]> = terms[kind];
  const { id, made_by: madeBy, made, ends } = row;
  return { id, terms: schema.parse(JSON.parse(row.terms)), madeBy, made, ends };
}
