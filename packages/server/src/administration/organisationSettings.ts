import type { Directory, RealmSettings } from '../chat/backend.ts';
import { type OrganisationSettings, administrationPaths, organisationSettings } from '@engawa/protocol/administration';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod/mini';
import { withRefusals } from '../http/chatRefusal.ts';
import { parse } from '../http/parameters.ts';
import type { Gate } from '../sessions/member.ts';

export interface SettingsDependencies {
  readonly chat: Pick<Directory, 'realmSettings' | 'changeRealmSettings'>;
  readonly gate: Pick<Gate, 'administrator'>;
}

const settingsChange = z.partial(organisationSettings);

export function organisationSettingsRoutes(app: FastifyInstance, { chat, gate }: SettingsDependencies): void {
  app.get(administrationPaths.organisation, async (request, reply) => {
    await gate.administrator(request);
    const chosen = chat.realmSettings();
    if (!chosen) throw new TypeError('there is no organisation');
    return reply.header('Cache-Control', 'private, no-store').send(settingsView(chosen));
  });

  app.patch(administrationPaths.organisation, async (request) => {
    const { id } = await gate.administrator(request);
    const change = parse(settingsChange, request.body);
    await withRefusals(chat.changeRealmSettings((now) => chosenAfter(now, change), id));
    return {};
  });
}

function settingsView({ name, description, readReceipts, botCreation, editLimits }: RealmSettings): OrganisationSettings {
  const { content, deletion, topic } = editLimits;
  return {
    name,
    description,
    read_receipts: readReceipts,
    bot_creation: botCreation,
    content_edit_limit: content,
    deletion_limit: deletion,
    topic_edit_limit: topic,
  };
}

/** A limit of null means "no limit"; only an absent limit keeps the current value. */
function chosenAfter({ editLimits, ...now }: RealmSettings, change: z.output<typeof settingsChange>): RealmSettings {
  const {
    name = now.name,
    description = now.description,
    read_receipts: readReceipts = now.readReceipts,
    bot_creation: botCreation = now.botCreation,
    content_edit_limit: content = editLimits.content,
    deletion_limit: deletion = editLimits.deletion,
    topic_edit_limit: topic = editLimits.topic,
  } = change;
  return { name, description, readReceipts, botCreation, editLimits: { content, deletion, topic } };
}
