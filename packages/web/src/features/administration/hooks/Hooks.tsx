import { HookList } from '../../../components/incomingHooks/HookList.tsx';
import { Section } from '../Section.tsx';

export function Hooks({ backAddress }: { readonly backAddress: string | undefined }) {
  return (
    <Section section="hooks" backAddress={backAddress}>
      <HookList of="all" />
    </Section>
  );
}
