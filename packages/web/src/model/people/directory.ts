import { directoryPage, paths, type DirectoryEntry } from '@engawa/protocol/product';
import { askProduct, type ProductCallDependencies } from '../connection/productCall.ts';

export async function fetchDirectory(asking: ProductCallDependencies): Promise<readonly DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  for (let next: number | null = 0; next !== null;) {
    const path: string = `${paths.people}?after=${next}`;
    const { answer } = await askProduct(asking, { method: 'GET', path, answer: directoryPage });
    entries.push(...answer.people);
    next = answer.next;
  }
  return entries;
}
