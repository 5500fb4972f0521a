import { parseFileMessage } from '@engawa/protocol';
import { featureBits } from '../conversations/messageHeaders.ts';
import { inlinesOf } from './inlines.ts';
import { mentionsAll as mentionsAllMembers } from './mentions.ts';
import type { MessageRow } from './store.ts';

const picture = /\.(?:avif|bmp|gif|heic|jpe?g|png|svg|webp)$/i;
/** A quick check: a text without any of these signs has no features and need not be parsed. */
const signs = /:\/\/|\]\(|@\*\*|mailto:/;

/** @returns the `featureBits` of a message. Links and mentions in code do not count. */
export function featuresOf(message: Pick<MessageRow, 'content' | 'client'>): number {
  const { link, image, attachment, mentionsAll } = featureBits;
  const file = parseFileMessage(message.content);
  if (file) return attachment | when(picture.test(file.storedName), image);
  if (!signs.test(message.content)) return 0;
  const addresses = [...inlinesOf(message)].flatMap(({ node }) => (node.kind === 'link' ? [node.href] : []));
  const hasImage = addresses.some((address) => picture.test(pathOf(address)));
  const hasUpload = addresses.some((address) => address.startsWith('/user_uploads/'));
  const linkBits = when(addresses.length > 0, link) | when(hasImage, image) | when(hasUpload, attachment);
  return linkBits | when(mentionsAllMembers(message), mentionsAll);
}

const pathOf = (address: string): string => address.replace(/[?#].*$/, '');
const when = (holds: boolean, bit: number): number => (holds ? bit : 0);
