import { useRef, type ReactNode } from 'react';
import { PlainButton } from '../../../components/primitives/Button.tsx';
import { ZoomIn, ZoomOut } from '../../../components/icons.ts';
import { IconButton } from '../../../components/primitives/IconButton.tsx';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { usePicturesWords } from '../../../i18n/pictures.ts';
import { LargeImage } from './LargeImage.tsx';
import type { LargePicture } from './largePictures.ts';
import styles from './Lightbox.module.css';
import { useGestures } from './useGestures.ts';
import { useViewerKeys } from './useViewerKeys.ts';
import { useZoom } from './useZoom.ts';
import { zoomStep, type Point } from './zoom.ts';

interface ViewerProps {
  readonly picture: LargePicture;
  readonly turn: ReactNode;
  readonly onGo: (step: 1 | -1) => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Viewer({ picture, turn, onGo, onClose, children }: ViewerProps) {
  const words = useWords();
  const own = usePicturesWords();
  const { messageId, name } = picture;
  const stage = useRef<HTMLDivElement>(null);
  const { state, size, view, fit, isZoomed, room, zoomTo, zoomBy, move, setState } = useZoom(messageId, stage);
  const toggle = (at?: Point) => (isZoomed ? zoomTo(0) : zoomTo(1, at));

  const drag = useGestures(stage, { isZoomed, move, zoomBy, toggle, go: onGo, close: onClose });

  useViewerKeys({ room, move, zoomTo, zoomBy, go: onGo });

  return (
    <>
      <div className={styles['frame']}>
        <div ref={stage} className={styles['stage']} data-zoomed={isZoomed}>
          {state === 'broken' ? (
            <p className={styles['note']} role="alert">
              {own.broken}
            </p>
          ) : (
            <>
              {state === 'loading' && <output className={styles['note']}>{words.loading}</output>}
              <LargeImage
                key={messageId}
                picture={picture}
                size={size}
                view={view && { ...view, x: view.x + drag }}
                onSize={setState}
              />
            </>
          )}
        </div>
        {turn}
      </div>
      <div className={styles['tools']} role="toolbar" aria-label={own.tools(name)}>
        <IconButton name={own.smaller} icon={ZoomOut} disabled={!isZoomed} onClick={() => zoomBy(1 / zoomStep)} />
        <PlainButton className={styles['scale']} aria-disabled={!isZoomed && (!fit || fit.scale === 1)} onClick={() => toggle()}>
          {isZoomed ? own.whole : own.actual}
        </PlainButton>
        <output className={styles['percent']}>{view && own.percent(Math.round(view.scale * 100))}</output>
        <IconButton name={own.larger} icon={ZoomIn} disabled={!view} onClick={() => zoomBy(zoomStep)} />
        {children}
      </div>
    </>
  );
}
