import type { ModelContext } from '../context.ts';
import { createAccount, type Account } from './account.ts';
import { createOwnBots, type OwnBots } from './bots.ts';
import { createOwnProfile, type OwnProfile } from './ownProfile.ts';
import { createOwnSettings, type OwnSettings } from './ownSettings.ts';
import { createOwnStatus, type OwnStatus } from './ownStatus.ts';
import type { PeopleState } from './state.ts';

export type OwnCommands = Account & OwnBots & OwnProfile & OwnSettings & OwnStatus;

export const createOwnCommands = (context: ModelContext<PeopleState>, onSignedOut: () => void): OwnCommands => ({
  ...createAccount(context, onSignedOut),
  ...createOwnBots(context),
  ...createOwnProfile(context),
  ...createOwnSettings(context),
  ...createOwnStatus(context),
});
