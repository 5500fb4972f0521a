import { useId, type ChangeEvent, type Ref } from 'react';
import { builtInAvatarPath, builtInAvatars } from '@engawa/protocol/product';
import { VisuallyHidden } from './primitives/VisuallyHidden.tsx';
import { TextButton } from './primitives/Button.tsx';
import { Avatar } from './Avatar.tsx';
import { CircleAlert, Icon, ImageUp, Trash2, Undo2 } from './icons.ts';
import { zoomed } from '../hooks/crop.ts';
import { CropStage, Zoom } from './CropStage.tsx';
import { builtInOf, urlOf, type PictureChoice } from '../hooks/picture.ts';
import { useSettingsWords } from '../i18n/settings.ts';
import styles from './PictureField.module.css';

interface PictureFieldProps {
  readonly name: string;
  readonly id: number;
  /** Whether built-in pictures are offered. Otherwise a button removes the picture. */
  readonly hasBuiltIns: boolean;
  readonly isRemovable: boolean;
  readonly choice: PictureChoice;
  readonly complaint: string | undefined;
  readonly ref: Ref<HTMLInputElement>;
}

export function PictureField({ name, id: of, hasBuiltIns, isRemovable, choice, complaint, ref }: PictureFieldProps) {
  const words = useSettingsWords().profileForm;
  const id = useId();
  const { picture } = choice;
  const cropped = picture.kind === 'image' && !picture.image.isGif ? picture : undefined;
  const refusals = { type: words.wrongType, size: words.tooLarge, side: words.tooWide };

  const onFile = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? [];
    // Choosing the same file again must fire `change` again.
    event.currentTarget.value = '';
    if (file) void choice.chooseFile(file);
  };

  return (
    <fieldset className={styles['picture']}>
      <legend>
        <VisuallyHidden>{words.picture}</VisuallyHidden>
      </legend>
      <div className={styles['chosen']}>
        {cropped ? (
          <CropStage image={cropped.image} crop={cropped.crop} onCrop={choice.crop} />
        ) : (
          <Avatar id={of} name={name} picture={urlOf(picture)} size="profile" />
        )}
        <div className={styles['ways']}>
          <label className={styles['choose']}>
            <Icon of={ImageUp} size={16} />
            {words.choose}
            <input
              ref={ref}
              type="file"
              accept=".jpg,.jpeg,.png,.gif,image/jpeg,image/png,image/gif"
              aria-describedby={`${id}-hint ${id}-complaint`}
              onChange={onFile}
            />
          </label>
          {picture.kind !== 'current' && (
            <TextButton className={styles['back']} onClick={choice.takeBack}>
              <Icon of={Undo2} size={14} />
              {words.takeBack}
            </TextButton>
          )}
          {isRemovable && urlOf(picture) !== undefined && (
            <TextButton className={styles['back']} onClick={choice.remove}>
              <Icon of={Trash2} size={14} />
              {words.remove}
            </TextButton>
          )}
          {cropped && (
            <Zoom zoom={cropped.crop.zoom} onZoom={(zoom) => choice.crop((crop) => zoomed(crop, zoom, cropped.image.size))} />
          )}
          <p id={`${id}-hint`} className={styles['hint']}>
            {picture.kind !== 'image' ? words.hint : cropped ? words.cropHint : words.asItIs}
          </p>
        </div>
      </div>
      {choice.complaint && (
        <p className={styles['alert']} role="alert">
          <Icon of={CircleAlert} size={16} />
          <span lang={choice.complaint === 'side' ? undefined : 'en'}>{refusals[choice.complaint]}</span>
        </p>
      )}
      {hasBuiltIns && <BuiltIns choice={choice} />}
      <p id={`${id}-complaint`} className={styles['complaint']}>
        {complaint}
      </p>
    </fieldset>
  );
}

function BuiltIns({ choice }: { readonly choice: PictureChoice }) {
  const words = useSettingsWords().profileForm;
  const id = useId();
  const chosen = builtInOf(choice.picture);
  return (
    <div role="radiogroup" aria-label={words.builtIn} className={styles['builtIns']}>
      {builtInAvatars.map((avatar) => (
        <label key={avatar}>
          <input
            type="radio"
            name={id}
            aria-label={words.builtInNames[avatar]}
            checked={avatar === chosen}
            onChange={() => choice.chooseBuiltIn(avatar)}
          />
          <img src={builtInAvatarPath(avatar)} alt="" title={words.builtInNames[avatar]} draggable={false} />
        </label>
      ))}
    </div>
  );
}
