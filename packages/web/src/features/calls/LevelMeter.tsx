import { useEffect, useEffectEvent, useRef } from 'react';
import { VisuallyHidden } from '../../components/primitives/VisuallyHidden.tsx';
import styles from './LevelMeter.module.css';

const bars = 16;
/** The value for screen readers changes in steps, because a change in each frame would be read without end. */
const steps = 4;

/** Shows the level of the microphone. Reads it in each frame and renders nothing. @param level 0 to 1. */
export function LevelMeter({ label, level }: { readonly label: string; readonly level: () => number }) {
  const drawn = useRef<HTMLDivElement>(null);
  const meter = useRef<HTMLMeterElement>(null);
  const draw = useEffectEvent(() => {
    const now = Math.min(1, Math.max(0, level()));
    drawn.current?.style.setProperty('--lit', String(Math.round(now * bars)));
    if (meter.current) meter.current.value = Math.round(now * steps) / steps;
  });
  useEffect(() => {
    let frame = requestAnimationFrame(function next() {
      draw();
      frame = requestAnimationFrame(next);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <>
      <div ref={drawn} className={styles['meter']} aria-hidden />
      <VisuallyHidden>
        <meter ref={meter} aria-label={label} min={0} max={1} />
      </VisuallyHidden>
    </>
  );
}
