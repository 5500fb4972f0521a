/** A message contains no null characters and no halves of surrogate pairs. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();
