import { askProduct, type ProductCall } from '../connection/productCall.ts';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import { onDemand } from '../onDemand.ts';
import type { Account } from './account.ts';
import type { OwnBots } from './bots.ts';
import type { Attendance, PresenceTabs } from './attendance.ts';
import { profileFailed } from './loadChanges.ts';
import type { OwnProfile } from './ownProfile.ts';
import type { OwnSettings } from './ownSettings.ts';
import type { OwnStatus } from './ownStatus.ts';
import type { PeopleState } from './state.ts';

export interface PeopleCommands extends OwnProfile, OwnSettings, OwnStatus, Attendance {
  /** Runs `act` once its code is loaded. Returns its result, or why the code could not be fetched. */
  account<Done>(act: (account: Account & OwnBots) => Promise<Done>): Promise<Done | Failure>;
  ask<Answer>(call: ProductCall<Answer>): Promise<{ readonly answer: Answer } | Failure>;
}

export function createPeopleCommands(
  context: ModelContext<PeopleState>,
  tabs: PresenceTabs,
  onSignedOut: () => void,
): PeopleCommands {
  const { store } = context;
  const own = onDemand(
    context,
    () => import('./own.ts'),
    ({ createOwnCommands }) => createOwnCommands(context, onSignedOut),
  );
  const attendance = onDemand(
    context,
    () => import('./attendance.ts'),
    ({ createAttendance }) => createAttendance(context, tabs),
  );

  return {
    account: own.use,
    ask: (call) => context.attempt(() => askProduct(context, call)),
    attend: (attended) => void attendance.use((there) => there.attend(attended)),
    memberActive: (active) => void attendance.use((there) => there.memberActive(active)),
    loadProfile() {
      own
        .use((there) => there.loadProfile())
        .then((failure) => failure && store.update((state) => profileFailed(state, failure)));
    },
    saveProfile: (draft) => own.use((there) => there.saveProfile(draft)),
    changeSettings: (change) => own.use((there) => there.changeSettings(change)),
    countEmojiUses: (emoji) => own.use((there) => there.countEmojiUses(emoji)),
    setStatus: (status) => own.use((there) => there.setStatus(status)),
  };
}
