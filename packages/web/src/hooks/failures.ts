import { useWords } from '../i18n/LocaleProvider.tsx';
import { fileSize } from '../i18n/fileSize.ts';
import type { Dictionary } from '../i18n/ja.ts';
import type { Failure } from '../model/connection/failure.ts';

/** R8.4: the text says the cause and the member's next step. */
export function failureText(words: Dictionary['failures'], failure: Failure): string {
  switch (failure.kind) {
    case 'network':
      return words.network;
    case 'signed-out':
      return words.signedOut;
    case 'refused':
      if (failure.code === 'STREAM_DOES_NOT_EXIST') return words.noAccess;
      if (failure.code === 'GROUP_NOT_WANTED') return words.groupNotWanted;
      return failure.code === 'EXPECTATION_MISMATCH' ? words.changedElsewhere : words.refused(failure.message);
    case 'busy':
      return words.busy(Math.ceil(failure.retryAfterSeconds));
    case 'server':
      return words.server;
    case 'chat-server-away':
      return words.chatServerAway;
    case 'storage':
      return words.storage;
    case 'locked':
      return words.locked;
    case 'to-be-completed':
      return words.toBeCompleted;
    case 'not-ready':
      return words.notReady;
    case 'malformed':
      return words.malformed;
    case 'file-too-large':
      return words.fileTooLarge(fileSize(failure.maxBytes));
    case 'file-gone':
      return words.fileGone;
    case 'too-far':
      return words.tooFar(failure.most);
    case 'half-done':
      return words.halfDone(failureText(words, failure.because));
    case 'not-wanted':
      return words.notWanted(failure.userIds.length);
    case 'not-in-streams':
      return words.notInStreams(failure.streams);
    case 'name-taken':
      return failure.streamId === undefined ? words.nameTaken : words.nameIsMine;
  }
}

export function unsentText(words: Pick<Dictionary, 'failures' | 'chat'>, failure: Failure, nameOf: NameOf): string {
  const names = failure.kind === 'not-wanted' ? failure.userIds.flatMap((userId) => nameOf(userId) ?? []) : [];
  return names.length > 0 ? words.chat.notWanted(names) : failureText(words.failures, failure);
}

type NameOf = (userId: number) => string | undefined;

export function useFailureText(): (failure: Failure) => string {
  const { failures } = useWords();
  return (failure) => failureText(failures, failure);
}
