import { useEffect, useRef, useState } from 'react';
import { builtInAvatarPath, builtInAvatars, type AvatarChoice, type BuiltInAvatar } from '@engawa/protocol/product';
import { wholeOf, type Crop } from './crop.ts';
import { encoded, loadImage, type ImageComplaint, type LoadedImage } from './image.ts';

export type Picture =
  | { readonly kind: 'current'; readonly url: string | undefined }
  | { readonly kind: 'built-in'; readonly avatar: BuiltInAvatar }
  | { readonly kind: 'none' }
  | { readonly kind: 'image'; readonly image: LoadedImage; readonly crop: Crop };

export type PictureChoice = ReturnType<typeof usePictureChoice>;

export function usePictureChoice(url: string | undefined) {
  const current = { kind: 'current', url } as const;
  const [picture, setPicture] = useState<Picture>(current);
  const [complaint, setComplaint] = useState<ImageComplaint>();
  const decoding = useRef<ReturnType<typeof loadImage>>(undefined);
  useRevoked(picture.kind === 'image' ? picture.image.url : undefined);

  useEffect(() => () => void (decoding.current = undefined), []);

  const choose = (chosen: Picture) => {
    decoding.current = undefined;
    setComplaint(undefined);
    setPicture(chosen);
  };
  return {
    picture,
    complaint,
    async chooseFile(file: File) {
      const loading = loadImage(file);
      decoding.current = loading;
      const image = await loading;
      if (decoding.current !== loading) {
        if (typeof image !== 'string') URL.revokeObjectURL(image.url);
        return;
      }
      decoding.current = undefined;
      if (typeof image === 'string') setComplaint(image);
      else choose({ kind: 'image', image, crop: wholeOf(image.size) });
    },
    chooseBuiltIn: (avatar: BuiltInAvatar) => choose({ kind: 'built-in', avatar }),
    remove: () => choose({ kind: 'none' }),
    crop: (change: (crop: Crop) => Crop) =>
      setPicture((before) => (before.kind === 'image' ? { ...before, crop: change(before.crop) } : before)),
    takeBack: () => choose(current),
    isDecoding: () => decoding.current !== undefined,
    /** The chosen image, once it is loaded, or the name of the picture; undefined if the image is invalid: see `complaint`. */
    async toSend(): Promise<AvatarChoice | Blob | undefined> {
      const loaded = await decoding.current;
      if (typeof loaded === 'string') {
        setComplaint(loaded);
        return undefined;
      }
      const chosen = loaded ? { image: loaded, crop: wholeOf(loaded.size) } : picture;
      if (!('image' in chosen)) return choiceOf(chosen);
      const blob = await encoded(chosen.image, chosen.crop);
      if (!blob) setComplaint('type');
      return blob;
    },
  };
}

function choiceOf(picture: Exclude<Picture, { kind: 'image' }>): AvatarChoice {
  switch (picture.kind) {
    case 'current':
      return 'keep';
    case 'none':
      return 'none';
    case 'built-in':
      return `built-in:${picture.avatar}`;
  }
}

function useRevoked(url: string | undefined): void {
  useEffect(() => {
    if (url !== undefined) return () => URL.revokeObjectURL(url);
    return undefined;
  }, [url]);
}

export function urlOf(picture: Picture): string | undefined {
  if (picture.kind === 'image') return picture.image.url;
  if (picture.kind === 'built-in') return builtInAvatarPath(picture.avatar);
  return picture.kind === 'current' ? picture.url : undefined;
}

export function builtInOf(picture: Picture): BuiltInAvatar | undefined {
  const url = urlOf(picture);
  return builtInAvatars.find((avatar) => builtInAvatarPath(avatar) === url);
}
