import { useMemo } from 'react';
import type { QuoteCard } from '@engawa/markup';
import { classes } from '../../../components/classes.ts';
import { useModel } from '../../../hooks/model.ts';
import { useTimes } from '../../../hooks/times.ts';
import { selectMessage } from '../../../model/outbox/selectors.ts';
import type { State } from '../../../model/state.ts';
import { addressOfMessage, messageAt, type MessagePlace } from '../../../model/streams/address.ts';
import { mayOpen, withMember } from '../../../model/streams/conversation.ts';
import { apart, leadsElsewhere } from './link.ts';
import styles from './Markup.module.css';
import { quoteTime, selectQuoteAuthor } from './quoteAuthor.ts';

/** R2.14: the sender and time of a quoted message, as a link to it if the member may open it. Nothing is fetched for it. */
export function QuotedMessage({ card }: { readonly card: QuoteCard }) {
  const times = useTimes();
  const { href } = card;
  const elsewhere = leadsElsewhere(href);
  const place = useMemo(() => (elsewhere ? undefined : messageAt(href)), [href, elsewhere]);
  const address = useModel(selectAddress, place);
  const message = useModel(selectQuoted, place);
  const author = useModel(selectQuoteAuthor, card);
  const link = elsewhere ? { href, ...apart } : address && { href: address };
  const about = (
    <>
      <b>{message?.senderFullName ?? author}</b>
      {message ? (
        <time dateTime={new Date(message.timestamp * 1000).toISOString()}>{times.recent(message.timestamp)}</time>
      ) : (
        <small>{quoteTime(card)}</small>
      )}
    </>
  );
  if (!link) return <p className={styles['about']}>{about}</p>;
  return (
    <a className={classes(styles['about'], styles['jump'])} {...link}>
      {about}
    </a>
  );
}

function selectAddress(state: State, place: MessagePlace | undefined): string | undefined {
  if (!place || state.memberId === undefined) return undefined;
  const conversation = withMember(place.conversation, state.memberId);
  return mayOpen(state, conversation) ? addressOfMessage(conversation, place.messageId) : undefined;
}

/** The quoted message if it is loaded. */
function selectQuoted(state: State, place: MessagePlace | undefined) {
  const message = place && selectMessage(state, place.messageId);
  return message?.deleted ? undefined : message;
}
