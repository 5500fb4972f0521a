import { useEffect, useEffectEvent, useState } from 'react';
import { isForInputMethod } from '../../components/inputMethod.ts';
import { useKeyDown } from '../../hooks/keyDown.ts';
import type { CallCommands, OwnCall } from '../../model/calls/ownCall.ts';
import { canSpeak, canUseCamera } from './ownDevices.ts';

/** A menu goes to the item that begins with a letter. */
const fields = 'input, textarea, select, [contenteditable], [role=menu]';
/** Controls that Space presses. The microphone button is one, so it takes no focus from a pointer. */
const controls = 'button, a, summary, [role]:not([role=log], [role=tabpanel], [role=region])';

/**
 * The keys of a call outside of fields: M for the microphone, V for the camera, and Space held to talk while muted.
 * @returns Whether the member talks by holding Space.
 */
export function useCallKeys(call: OwnCall | undefined, commands: CallCommands | undefined): boolean {
  const [held, setHeld] = useState(false);
  const isThere = call !== undefined && (call.phase === 'inCall' || call.phase === 'waiting');

  const release = useEffectEvent(() => {
    if (!held) return;
    setHeld(false);
    commands?.talk(false);
  });

  useKeyDown((event) => {
    if (!isThere || !commands || isIn(event, fields) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.code === 'Space') {
      if (isIn(event, controls) || !canSpeak(call) || !(call.muted || held)) return;
      event.preventDefault();
      if (event.repeat || held) return;
      setHeld(true);
      commands.talk(true);
      return;
    }
    if (event.repeat || event.shiftKey) return;
    const key = {
      m: { works: canSpeak(call), run: () => commands.setMuted(!call.muted) },
      v: { works: canUseCamera(call), run: () => void commands.setCamera(!call.camera) },
    }[event.key.toLowerCase()];
    if (!key?.works) return;
    event.preventDefault();
    key.run();
  });

  useEffect(() => {
    if (!isThere) return undefined;
    const up = (event: KeyboardEvent) => {
      if (isForInputMethod(event)) return;
      if (event.code === 'Space') release();
    };
    const blur = () => release();
    window.addEventListener('keyup', up);
    window.addEventListener('blur', blur);
    return () => {
      blur();
      window.removeEventListener('keyup', up);
      window.removeEventListener('blur', blur);
    };
  }, [isThere]);

  return held;
}

function isIn({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
