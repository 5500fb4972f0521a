import { describe, expect, it } from 'vitest';
import { createComposedText } from './composedText.ts';
import { afterEdit, type ChipLabels, maskChips, rawBetween, richTextOf, toRaw } from './richText.ts';

const labels: ChipLabels = {
  reference: (node) => {
    if (node.kind === 'user-mention') return node.name === '不明' ? undefined : `@${node.name}`;
    return node.kind === 'stream-link' ? `#${node.stream}` : '@全員';
  },
  quote: (_, { about }) => `引用: ${about}`,
};
const link = 'https://chat.example/#/stream/7/message/12';
const quote = `> 佐藤（09:58） ${link}\n> 一行め @**田中 翔|2**`;

/** The text of a field in which each chip is in ⟨⟩. */
function shown(raw: string): string {
  const { text, chips } = richTextOf(raw, labels);
  return chips.reduceRight(
    (marked, { from, to }) => `${marked.slice(0, from)}⟨${marked.slice(from, to)}⟩${marked.slice(to)}`,
    text,
  );
}

it.each([
  ['@**田中 翔|2** さん', '⟨@田中 翔⟩ さん'],
  ['@**田中 翔|2**と@**田中 翔|3**', '⟨@田中 翔⟩と⟨@田中 翔⟩'],
  ['@**all** #**総務部**', '⟨@全員⟩ ⟨#総務部⟩'],
  ['@**不明** さん', '@**不明** さん'],
  ['`@**田中 翔**`', '`@**田中 翔**`'],
  [`返事\n\n${quote}\n続き`, '返事\n\n⟨引用: 佐藤（09:58）⟩\n続き'],
])('[I5.5, R2.14] The field shows the draft %j as %j', (raw, text) => {
  expect(shown(raw)).toBe(text);
});

it('[R8.4] A draft that is shown with chips and not changed stays exactly the same', () => {
  const pieces = ['@**田中 翔|2**', '@**不明**', '@_**a**', '#**b**', '`', '```', '\n', '\n\n', ' ', 'a', '> x', quote, '@'];
  const others = [`@_**田中|2** [said](${link}):\n\`\`\`quote\n一\n\`\`\``, '* ', '　'];
  const all = [...pieces, ...others];
  for (const one of all) {
    for (const two of all) {
      for (const three of all) {
        for (const draft of [one + two + three, `${one}\n${two}\n${three}`]) {
          expect(toRaw(richTextOf(draft, labels)).raw).toBe(draft);
          expect(createComposedText(draft, labels).raw()).toBe(draft);
        }
      }
    }
  }
});

describe('A chip after an edit', () => {
  const before = richTextOf('見て @**田中 翔|2** と @**田中 翔|3** へ', labels);
  const [, , second] = ['見て ', '@田中 翔', ' と @田中 翔 へ'];
  it.each([
    ['text is added before it', `あ${before.text}`, 1, 'あ見て @**田中 翔|2** と @**田中 翔|3** へ'],
    ['text is added right behind it', '見て @田中 翔さん と @田中 翔 へ', 10, '見て @**田中 翔|2**さん と @**田中 翔|3** へ'],
    ['the other one with the same name is deleted', `見て ${second}`, 3, '見て  と @**田中 翔|3** へ'],
    ['everything behind it is deleted', '見て @田中 翔', 8, '見て @**田中 翔|2**'],
    ['a letter in it is deleted', '見て @田中翔 と @田中 翔 へ', 6, '見て @田中翔 と @**田中 翔|3** へ'],
    ['a letter in it is added', '見て @田中あ 翔 と @田中 翔 へ', 7, '見て @田中あ 翔 と @**田中 翔|3** へ'],
    ['all text is replaced', '新しい', 3, '新しい'],
  ])('[I5.5] The draft mentions exactly the members whose chips are still whole after %s', (_, text, caret, raw) => {
    expect(toRaw(afterEdit(before, text, caret)).raw).toBe(raw);
  });
});

it('[I5.5] A mention that a letter or a backtick makes unreadable is sent as the text that the field shows, until it is removed', () => {
  const before = richTextOf('@**田中 翔|2**', labels);
  const attached = afterEdit(before, 'Hi@田中 翔', 2);
  expect(toRaw(attached)).toEqual({ raw: 'Hi@田中 翔', counting: [] });
  expect(toRaw(afterEdit(attached, 'Hi @田中 翔', 3)).raw).toBe('Hi @**田中 翔|2**');
  expect(toRaw(afterEdit(afterEdit(before, '`@田中 翔', 1), '`@田中 翔`', 7)).raw).toBe('`@田中 翔`');
});

it('[R2.14] A quote in the text keeps its line ends when a member types directly before and behind it', () => {
  const before = richTextOf(quote, labels);
  const after = afterEdit(before, `前${before.text}`, 1);
  expect(toRaw(afterEdit(after, `${after.text}後`, after.text.length + 1)).raw).toBe(`前\n${quote}\n後`);
});

it('[I5.5] A part of the text is copied with the chips that are whole in it', () => {
  const rich = richTextOf('見て @**田中 翔|2** へ', labels);
  expect(rawBetween(rich, 3, rich.text.length)).toBe('@**田中 翔|2** へ');
  expect(rawBetween(rich, 5, rich.text.length)).toBe('中 翔 へ');
  expect(maskChips(rich)).toBe('見て ***** へ');
});

describe('createComposedText', () => {
  it('[R2.14] The quotes at the beginning of a draft are shown above the field, and the others in it', () => {
    const composed = createComposedText(`${quote}\n\n${quote}\n返事\n\n${quote}\n`, labels);
    expect(composed.view().quotes.map(({ card }) => card.about)).toEqual(['佐藤（09:58）', '佐藤（09:58）']);
    expect(composed.view().text).toBe('返事\n\n引用: 佐藤（09:58）\n');
    const [first] = composed.view().quotes;
    if (first) composed.removeQuote(first);
    expect(composed.raw()).toBe(`${quote}\n返事\n\n${quote}\n`);
  });

  it('[R2.14] Text that is typed below a quote, also a quote by hand, does not become part of it', () => {
    const composed = createComposedText(`${quote}\n`, labels);
    composed.edit('> 手で', 4, 'insertText');
    expect(composed.raw()).toBe(`${quote}\n\n> 手で`);
    composed.edit('返事', 2, 'insertText');
    expect(composed.raw()).toBe(`${quote}\n返事`);
  });

  it('[I5.5] Undo brings back a deleted mention with its member, and redo removes it again', () => {
    const composed = createComposedText('@**田中 翔|3** へ', labels);
    composed.edit(' へ', 0, 'deleteContentBackward');
    expect(composed.raw()).toBe(' へ');
    composed.edit('@田中 翔 へ', 5, 'historyUndo');
    expect(composed.raw()).toBe('@**田中 翔|3** へ');
    composed.edit(' へ', 0, 'historyRedo');
    expect(composed.raw()).toBe(' へ');
  });

  it('[I5.5] A draft that is inserted becomes chips, and a text without any is left to the browser', () => {
    const composed = createComposedText('見て ', labels);
    expect(composed.insert('@**田中 翔|3** ', (text) => composed.edit(`見て ${text}`, 3 + text.length, 'insertText'))).toBe(true);
    expect(composed.view().text).toBe('見て @田中 翔 ');
    expect(composed.raw()).toBe('見て @**田中 翔|3** ');
    expect(composed.insert('ただの文', () => expect.unreachable())).toBe(false);
  });
});
