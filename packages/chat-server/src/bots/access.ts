import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type BotRow, bots } from '../identity/bots.ts';
import { type Member, type Viewer, isAdministrator, isGuest } from '../identity/member.ts';
import { realms } from '../realm/store.ts';

/** THE rule of who administers a bot: its owner, and administrators. */
export function administers(member: Pick<Viewer, 'id' | 'role'>, bot: Pick<BotRow, 'bot_owner_id'>): boolean {
  return isAdministrator(member) || bot.bot_owner_id === member.id;
}

export function administeredBots(reader: Reader, member: Viewer): BotRow[] {
  return isAdministrator(member) ? bots.all(reader) : bots.ofOwner(reader, member.id);
}

/** @throws ChatError the same for a missing bot, for a person, and for a bot of another member. */
export function administeredBot(reader: Reader, member: Viewer, id: number): BotRow {
  const bot = bots.byId(reader, id);
  if (!bot || !administers(member, bot)) throw refused.noSuchBot();
  return bot;
}

/** Only the owner gets the key, because everybody with the key acts with the rights of the owner. @throws ChatError */
export function ownBot(reader: Reader, member: Viewer, id: number): BotRow {
  const bot = administeredBot(reader, member, id);
  if (bot.bot_owner_id !== member.id) throw refused.notPermitted();
  if (!bot.is_active) throw refused.userDeactivated();
  return bot;
}

/** @throws ChatError if the organisation does not let the member create bots. */
export function requireBotCreation(reader: Reader, member: Member): void {
  if (isGuest(member)) throw refused.forGuests();
  const creation = realms.get(reader)?.bot_creation ?? 'nobody';
  if (creation === 'nobody') throw refused.nobodyCreatesBots();
  if (creation === 'administrators' && !isAdministrator(member)) throw refused.administratorsCreateBots();
}
