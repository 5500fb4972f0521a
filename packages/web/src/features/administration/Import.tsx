import { Section } from './Section.tsx';

/** People and departments from a file. */
export function Import({ backAddress }: { readonly backAddress: string | undefined }) {
  return <Section section="import" backAddress={backAddress} />;
}
