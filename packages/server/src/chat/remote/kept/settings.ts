import type { Reader, Transaction } from '@engawa/chat-server/database';
import { chatRefused, emojiUsesAfter } from '@engawa/chat-server/parts';
import { countEmojiUse, decodeParameters, endpoint, everySetting, languages, updateSettings } from '@engawa/protocol';
import { z } from 'zod';
import { successOf } from './answer.ts';
import { withForm } from './call.ts';
import { type Handler, type HandlerDependencies, type Publish, changeHandler, ownHandler } from './handlers.ts';
import { drafts, ownSettings } from './store.ts';

/**
 * The settings that the product stores itself: those that Zulip does not know, that of the product's own drafts, and the language
 * of the product's screens. The language in Zulip is for Zulip's clients, and is often English because nobody has chosen it.
 */
const ownSetting = z.object({
  compact_messages: everySetting.shape.compact_messages,
  enable_drafts_synchronization: everySetting.shape.enable_drafts_synchronization,
  frequent_emoji: everySetting.shape.frequent_emoji,
  /** Undefined until the member chooses it, so that the browser's language applies. */
  default_language: z.optional(everySetting.shape.default_language),
});
type OwnSettings = z.output<typeof ownSetting>;

const defaults: OwnSettings = { compact_messages: false, enable_drafts_synchronization: true, frequent_emoji: {} };

const { compact_messages, default_language, enable_drafts_synchronization } = updateSettings.parameters;
const changeOwnSettings = endpoint(updateSettings.method, updateSettings.path, {
  parameters: { compact_messages, default_language, enable_drafts_synchronization },
});

export const isOwnSetting = (name: string): boolean => Object.hasOwn(ownSetting.shape, name);

export function ownSettingsOf(reader: Reader, memberId: number): OwnSettings {
  const stored = ownSettings.of(reader, memberId).map(({ name, value }) => [name, JSON.parse(value)]);
  return ownSetting.parse({ ...defaults, ...Object.fromEntries(stored) });
}

export const synchronizesDrafts = (reader: Reader, memberId: number): boolean =>
  ownSettingsOf(reader, memberId).enable_drafts_synchronization;

export function settingsHandlers(dependencies: HandlerDependencies): Handler[] {
  const { database, request, count, publish } = dependencies;
  return [
    changeHandler(updateSettings, dependencies, async (memberId, { parameters, call }) => {
      const all = [...parameters.entries()];
      const others = all.filter(([name]) => !isOwnSetting(name));
      if (others.length === all.length) return request(call);
      count(memberId);
      const change = decodeParameters(changeOwnSettings, parameters.get);
      const { default_language: language } = change;
      if (language !== undefined && !languages.some((each) => each === language)) {
        throw chatRefused.because('Invalid default_language');
      }
      const reply = others.length > 0 ? await request(withForm(call, others)) : successOf(memberId);
      if (reply.status !== 200) return reply;
      await database.write((tx) => {
        changeSettings(tx, memberId, change, publish);
        if (change.enable_drafts_synchronization === false) drafts.removeAll(tx, memberId);
      });
      return reply;
    }),

    ownHandler(countEmojiUse, dependencies, ({ emoji }, memberId) =>
      database.write((tx) => {
        const { frequent_emoji } = ownSettingsOf(tx, memberId);
        changeSettings(tx, memberId, { frequent_emoji: emojiUsesAfter(frequent_emoji, emoji) }, publish);
      }),
    ),
  ];
}

type Changed<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** An unchanged value publishes no event. */
function changeSettings(tx: Transaction, memberId: number, change: Changed<OwnSettings>, publish: Publish): void {
  const before: Readonly<Record<string, unknown>> = ownSettingsOf(tx, memberId);
  for (const [property, value] of Object.entries(change)) {
    if (value === undefined) continue;
    const written = JSON.stringify(value);
    if (written === JSON.stringify(before[property])) continue;
    ownSettings.put(tx, memberId, property, written);
    tx.afterCommit(() => publish([memberId], { type: 'user_settings', op: 'update', property, value }));
  }
}
