/** The length of a name or a description as the server counts: code points of the trimmed text. */
export const trimmedLength = (text: string): number => [...text.trim()].length;
