import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button, TextButton } from '../../components/primitives/Button.tsx';
import { Icon, RotateCw } from '../../components/icons.ts';
import { useReturnFocus } from '../../hooks/returnFocus.ts';
import { useNoticesWords } from '../../i18n/notices.ts';
import { watchTyping, type Typing } from './typing.ts';
import notice from '../../components/primitives/Notice.module.css';
import { classes } from '../../components/classes.ts';
import styles from './UpdateNotice.module.css';
import { ownVersion, watchVersions, type Watch } from './versions.ts';
import { selectConnection } from '../../model/connection/state.ts';
import { selectHoldsUnstored } from '../../model/outbox/selectors.ts';
import { useModel } from '../../hooks/model.ts';

export interface UpdateNoticeProps {
  readonly holdsChosenFiles: () => boolean;
}

const losses = ['losesFiles', 'losesTyping'] as const;
type Loss = (typeof losses)[number];

/** Offers a reload. Messages being sent delay it, and the notice first warns of input that the reload would lose. */
export function UpdateNotice({ holdsChosenFiles }: UpdateNoticeProps) {
  const words = useNoticesWords().update;
  const isThere = useNewVersion();
  const sending = useSustained(useModel(selectHoldsUnstored));
  const [putOff, setPutOff] = useState<string>();
  const [warnedOf, setWarnedOf] = useState<readonly Loss[]>([]);
  const { returnFocus, ...placed } = useReturnFocus();
  // The warning ends when the member types on, because the notice warns again before text is lost.
  const typing = useTyping(() => setWarnedOf([]));

  const apply = () => {
    const isLost = { losesFiles: holdsChosenFiles(), losesTyping: typing() };
    const unnamed = losses.find((loss) => isLost[loss] && !warnedOf.includes(loss));
    if (unnamed === undefined) location.reload();
    else setWarnedOf([...warnedOf, unnamed]);
  };
  const later = () => {
    returnFocus();
    setPutOff(isThere);
    setWarnedOf([]);
  };

  return (
    <output {...placed}>
      {isThere !== undefined && isThere !== putOff && (
        <span className={classes(notice['notice'], styles['notice'])}>
          <Icon of={RotateCw} size={16} strokeWidth={1.9} />
          <span className={classes(notice['text'], styles['text'])}>
            {words[sending ? 'sending' : (warnedOf.at(-1) ?? 'there')]}
          </span>
          <Button variant="primary" className={styles['apply']} disabled={sending} onClick={apply}>
            {warnedOf.length > 0 ? words.applyAnyway : words.apply}
          </Button>
          <TextButton onClick={later}>{words.later}</TextButton>
        </span>
      )}
    </output>
  );
}

/** Milliseconds in which the storage usually accepts a message. */
const usual = 1000;

/** True after `holds` has been true for longer than `usual`, so the notice does not flicker with each message. */
function useSustained(holds: boolean): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!holds) return undefined;
    const timer = setTimeout(() => setLasts(true), usual);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [holds]);
  return lasts;
}

function useNewVersion(): string | undefined {
  const connection = useModel(selectConnection);
  const [found, setFound] = useState<string>();
  const watch = useRef<Watch>(undefined);
  const isOut = connection === 'reconnecting';
  const wasOut = useRef(false);

  useEffect(() => {
    const own = ownVersion(document);
    if (own === undefined || !('serviceWorker' in navigator)) return undefined;
    const watching = watchVersions({
      workers: navigator.serviceWorker,
      page: document,
      now: () => Date.now(),
      random: () => Math.random(),
      onVersion: (version) => setFound(version === own ? undefined : version),
    });
    watch.current = watching;
    return () => watching.stop();
  }, []);

  useEffect(() => {
    if (wasOut.current && !isOut) watch.current?.cameBack();
    wasOut.current = isOut;
  }, [isOut]);
  return found;
}

function useTyping(onInput: () => void): () => boolean {
  const watched = useRef<Typing>(undefined);
  const goesOn = useEffectEvent(onInput);
  useEffect(() => {
    const typing = watchTyping(document, () => goesOn());
    watched.current = typing;
    return () => typing.stop();
  }, []);
  return () => watched.current?.isUnderWay() ?? false;
}
