import { addPlayground, maxPlaygrounds, removePlayground } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { mustBeAdministrator } from '../identity/currentMember.ts';
import { variablesIn } from './pattern.ts';
import { playgrounds } from './store.ts';

const longest = { name: 100, language: 40 } as const;

export function playgroundRoutes(database: Database, log: EventLog): Route[] {
  return [
    memberRoute(addPlayground, async ({ name, pygments_language, url_template }, { member }) => ({
      id: await database.write((tx) => {
        mustBeAdministrator(tx, member);
        const row = {
          name: name.toWellFormed().trim(),
          pygments_language: pygments_language.toWellFormed().trim(),
          url_template,
        };
        if (row.name === '' || row.name.length > longest.name) throw refused.because('Invalid name of the playground');
        if (!/^[a-zA-Z0-9_+.# -]+$/.test(row.pygments_language) || row.pygments_language.length > longest.language) {
          throw refused.because('Invalid characters in pygments language');
        }
        if ([...variablesIn(url_template)].join() !== 'code')
          throw refused.because('The URL template needs the variable “code” only.');
        const all = playgrounds.all(tx);
        if (all.some((each) => each.name === row.name && each.pygments_language === row.pygments_language)) {
          throw refused.because('Playground already exists.');
        }
        if (all.length >= maxPlaygrounds) throw refused.because(`Too many playgrounds (limit: ${maxPlaygrounds}).`);
        const id = playgrounds.insert(tx, row);
        publish(tx, log);
        return id;
      }),
    })),

    memberRoute(removePlayground, ({ playground_id }, { member }) =>
      database.write((tx) => {
        mustBeAdministrator(tx, member);
        if (playgrounds.delete(tx, playground_id) === 0) throw refused.because('Invalid playground');
        publish(tx, log);
      }),
    ),
  ];
}

function publish(tx: Transaction, log: EventLog): void {
  log.append(tx, { type: 'realm_playgrounds', reach: 'everyone', payload: { realm_playgrounds: playgrounds.all(tx) } });
}
