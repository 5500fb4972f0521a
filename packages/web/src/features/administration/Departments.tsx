import { Section } from './Section.tsx';

/** The tree of departments, and who is in each. */
export function Departments({ backAddress }: { readonly backAddress: string | undefined }) {
  return <Section section="departments" backAddress={backAddress} />;
}
