import {
  addLinkifier,
  maxLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
  urlTemplateOf,
} from '@engawa/protocol';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventSerializer, EventSerializers } from '../events/delivery.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { mustBeAdministrator } from '../identity/currentMember.ts';
import { checkPattern, groupsIn, variablesIn } from './pattern.ts';
import { linkifiers } from './store.ts';

export function linkifierRoutes(database: Database, log: EventLog): Route[] {
  return [
    memberRoute(addLinkifier, async (rule, { member }) => {
      mustBeAdministrator(database.reader, member);
      // Checked before the transaction, because it may take long.
      const checked = await checkedRule(rule);
      const id = await database.write((tx) => {
        mustBeAdministrator(tx, member);
        const all = linkifiers.all(tx);
        if (all.some(({ pattern }) => pattern === checked.pattern)) throw refused.because('Linkifier already exists.');
        if (all.length >= maxLinkifiers) throw refused.because(`Too many linkifiers (limit: ${maxLinkifiers}).`);
        const added = linkifiers.insert(tx, checked);
        publish(tx, log);
        return added;
      });
      return { id };
    }),

    memberRoute(updateLinkifier, async ({ filter_id, ...rule }, { member }) => {
      mustBeAdministrator(database.reader, member);
      const { pattern, url_template } = await checkedRule(rule);
      await database.write((tx) => {
        mustBeAdministrator(tx, member);
        requireLinkifier(tx, filter_id);
        if (linkifiers.all(tx).some((each) => each.pattern === pattern && each.id !== filter_id)) {
          throw refused.because('Linkifier already exists.');
        }
        linkifiers.update(tx, filter_id, pattern, url_template);
        publish(tx, log);
      });
    }),

    memberRoute(removeLinkifier, ({ filter_id }, { member }) =>
      database.write((tx) => {
        mustBeAdministrator(tx, member);
        requireLinkifier(tx, filter_id);
        linkifiers.delete(tx, filter_id);
        publish(tx, log);
      }),
    ),

    memberRoute(reorderLinkifiers, ({ ordered_linkifier_ids: order }, { member }) =>
      database.write((tx) => {
        mustBeAdministrator(tx, member);
        const known = new Set(linkifiers.all(tx).map(({ id }) => id));
        if (order.length !== known.size || new Set(order).symmetricDifference(known).size > 0) {
          throw refused.because('Invalid ordered list of linkifiers');
        }
        order.forEach((id, index) => linkifiers.setPosition(tx, id, index + 1));
        publish(tx, log);
      }),
    ),
  ];
}

function requireLinkifier(reader: Reader, id: number): void {
  if (!linkifiers.all(reader).some((each) => each.id === id)) throw refused.because('Linkifier not found.');
}

interface Rule {
  readonly pattern: string;
  readonly url_template: string;
}

/** Also takes the Python format of older clients, such as `https://example.com/%(id)s`. */
async function checkedRule({ pattern, url_template }: Rule): Promise<Rule> {
  const trimmed = pattern.trim();
  await checkPattern(trimmed);
  const template = /%\(\w+\)s/.test(url_template) ? urlTemplateOf(url_template) : url_template;
  if (groupsIn(trimmed).symmetricDifference(variablesIn(template)).size > 0) {
    throw refused.because('The groups of the pattern and the variables of the URL template must be the same.');
  }
  return { pattern: trimmed, url_template: template };
}

function publish(tx: Transaction, log: EventLog): void {
  log.append(tx, { type: 'realm_linkifiers', reach: 'everyone', payload: {} });
}

/** Clients that do not know URL templates get no linkifiers, as in the answer of register. */
const serialize: EventSerializer = ({ id, type }, { options }, batch) =>
  options.linkifier_url_template
    ? batch.shared(`${id}`, () => JSON.stringify({ type, realm_linkifiers: linkifiers.all(batch.reader), id }))
    : undefined;

export const linkifierEvents: EventSerializers = [['realm_linkifiers', serialize]];
