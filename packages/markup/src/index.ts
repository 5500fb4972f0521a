export { safeHref } from './address.ts';
export { type Dialect, dialectOf, ownClient } from './dialect.ts';
export { parseEngawa } from './parseEngawa.ts';
export { plainText } from './plainText.ts';
export { type QuoteCard, type QuotingBlock, quoteCards } from './quoteCards.ts';
export { type FoundQuote, quotesIn } from './quotesIn.ts';
export { type FoundReference, type Reference, referencesIn } from './references.ts';
export { type Block, type CodeBlock, type EngawaBlock, type Inline, type Mention, type TopicLink, inlineText } from './tree.ts';
export { type NameMention, zulipSource } from './zulipSource.ts';
