import { HookList } from '../../../components/incomingHooks/HookList.tsx';
import { HookOrigins } from '../../../components/outgoingHooks/HookOrigins.tsx';
import { OutgoingHookList } from '../../../components/outgoingHooks/OutgoingHookList.tsx';
import { useCapability } from '../../../hooks/model.ts';
import { Section } from '../Section.tsx';

export function Hooks({ backAddress }: { readonly backAddress: string | undefined }) {
  const postsOut = useCapability('outgoing_hooks');
  return (
    <Section section="hooks" backAddress={backAddress}>
      <HookList of="all" />
      {postsOut && (
        <>
          <HookOrigins />
          <OutgoingHookList of="all" />
        </>
      )}
    </Section>
  );
}
