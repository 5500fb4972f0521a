import { Dialog } from '../../components/primitives/Dialog.tsx';
import { scrollableByKeyboard } from '../../components/primitives/scrollable.ts';
import { useCommands } from '../../hooks/model.ts';
import { useHelpWords } from '../../i18n/help.ts';
import type { HelpPart, Paragraph } from '../../i18n/help.ja.ts';
import { Contact } from './Contact.tsx';
import styles from './Help.module.css';
import { Shortcuts } from './Shortcuts.tsx';

const pages = ['faqs', 'calls', 'shortcuts', 'contact', 'policy'] as const;
export type HelpPage = (typeof pages)[number];

interface HelpProps {
  readonly page: HelpPage;
  /** The page comes from the address, not from a shortcut. */
  readonly addressed: boolean;
  readonly addressOf: (page: HelpPage) => string;
  readonly addressOfMember: (userId: number) => string;
  readonly onClose: () => void;
}

/** R2.25.5: the help pages. Each has its own address. */
export function Help({ page, addressed, addressOf, addressOfMember, onClose }: HelpProps) {
  const words = useHelpWords();
  const { session } = useCommands();
  return (
    <Dialog heading={words.pages[page]} onClose={onClose} wide addressed={addressed}>
      <nav className={styles['pages']} aria-label={words.label}>
        {pages.map((each) => (
          <a key={each} href={addressOf(each)} aria-current={each === page ? 'page' : undefined}>
            {words.pages[each]}
          </a>
        ))}
      </nav>
      {/* The key remounts the element, so each page opens at its top. */}
      <div key={page} className={styles['content']} ref={scrollableByKeyboard}>
        {(page === 'faqs' || page === 'calls' || page === 'policy') && (
          <>
            {page === 'calls' && !session.calls && <p className={styles['off']}>{words.callsOff}</p>}
            <Parts parts={words[page]} />
            <p className={styles['more']}>
              {page === 'policy' ? words.policyMore : words.faqsMore} <a href={addressOf('contact')}>{words.toContact}</a>
            </p>
          </>
        )}
        {page === 'contact' && <Contact addressOfMember={addressOfMember} />}
        {page === 'shortcuts' && <Shortcuts />}
      </div>
    </Dialog>
  );
}

function Parts({ parts }: { readonly parts: readonly HelpPart[] }) {
  const { capabilities } = useCommands().session;
  const textOf = (paragraph: Paragraph) => {
    if (typeof paragraph === 'string') return paragraph;
    return capabilities.includes(paragraph.needs) ? paragraph.text : paragraph.otherwise;
  };
  return parts.map(({ heading, paragraphs }) => (
    <section key={heading}>
      <h3>{heading}</h3>
      {paragraphs.map(textOf).map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
    </section>
  ));
}
