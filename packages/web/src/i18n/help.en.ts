import type { HelpDictionary, HelpPart } from './help.ja.ts';
import { englishNumber as number } from './numbers.ts';

const faqs: readonly HelpPart[] = [
  {
    heading: 'How do I open the stream of a department?',
    paragraphs: [
      'Open “Organisation” on the left and press the name of the department. A part of its name in the search field narrows the tree.',
      'If it says that you do not have access, you are not in that department’s stream. Ask an administrator if you need to be.',
    ],
  },
  {
    heading: 'How do I mention a person or a department?',
    paragraphs: [
      'Type @ in the message field and candidates appear. Kanji, kana and romaji all find them. Walk with ↑↓ and pick with Enter.',
      '“@all” reaches everybody in the stream, “@department” those of it and of the departments below. Whoever is marked as not in the stream is not reached.',
      'What mentions you is gathered under “Mentions and stars”, above the list of streams.',
    ],
  },
  {
    heading: 'How do I find an earlier message?',
    paragraphs: [
      'Press Ctrl + K (⌘ + K on a Mac), or the magnifying glass above the messages. A single character is enough, in hiragana or katakana.',
      'Narrow it by sender, days, or to those with a file. Choosing a result opens it among the messages around it. Only messages that you may read are searched.',
    ],
  },
  {
    heading: 'When does a message count as read?',
    paragraphs: [
      'When its stream is open, the window is in front, and the message has stayed in view. What you merely scroll past stays unread.',
      'To come back to it later, choose “Mark unread from here” under “More” of a message. Unread counts are the same on all of your devices.',
    ],
  },
  {
    heading: 'Can I see who has read my message?',
    paragraphs: [
      'Press “Read” under your message to see who has, and who has not. The organisation decides of which messages this is shown.',
      'With read receipts off, under “Privacy”, nobody learns what you read, and you do not see what others have read.',
    ],
  },
  {
    heading: 'How do I get notifications?',
    paragraphs: [
      'Switch on “Notifications” under “Security” and choose “Allow” when the browser asks. Each device needs its own permission. “Send a test notification” shows that it works.',
      'At first you are told of mentions, of messages with your alert words, and of direct messages. For each stream you choose all messages, mentions only, or none (muted).',
      'Nothing in a muted stream is told of, not even a mention; nor is the conversation that you are reading, or what you send yourself.',
    ],
  },
  {
    heading: 'How do I send a file?',
    paragraphs: [
      'Press the paper clip beside the message field, drop the file on the messages, or paste a picture. Up to ten go at a time, each as a message of its own. Put a folder into a ZIP file.',
      'Only those who may read the message can open its file.',
    ],
  },
  {
    heading: 'Can I correct or delete what I have sent?',
    paragraphs: [
      'Point at the message, open “More”, and choose “Edit” or “Delete” (press and hold on a telephone). The organisation may limit for how long.',
      'A corrected message is marked as edited and keeps its history. A deleted one is gone from everybody’s screen, and cannot be brought back.',
    ],
  },
  {
    heading: 'Can I use it with the keyboard alone?',
    paragraphs: ['Yes. Press ? for the list of keys. Tab moves between the parts of the screen, ↑↓ within lists and messages.'],
  },
];

const policy: readonly HelpPart[] = [
  {
    heading: 'Where is it kept?',
    paragraphs: [
      'Messages, files, profiles and settings are kept on this server, which your organisation runs, and nowhere else. Engawa sends nothing to other services and collects no usage data.',
    ],
  },
  {
    heading: 'What is kept?',
    paragraphs: [
      'The messages that you write and the files that you send, your reactions and stars, and how far you have read.',
      'What you put into your profile and settings: name, email, location, picture, status.',
      'Where you are signed in: the kind of browser and device, when you signed in, and when it was last used. You see and end this under “Security”. A sign-in runs out after 90 days. Passwords are kept neither in the browser nor, as they are, on the server.',
      'Your browser keeps what you have begun to write, a copy of theme and language, and your recent searches. Signing out removes what you have begun to write.',
    ],
  },
  {
    heading: 'Who sees it?',
    paragraphs: [
      'Messages and files are seen by those who may read the stream or the direct messages, and by nobody else. Search looks in the same places only. Nobody else sees your stars.',
      'All members of the organisation see your name and email. Under “Privacy” you decide who sees your picture, status, when you were last here, and what you have read.',
      'Administrators too cannot read, on the screens, direct messages that they are not part of. The people who run the server are in a position to reach the data that it keeps.',
    ],
  },
  {
    heading: 'What happens to what is deleted?',
    paragraphs: [
      'What a deleted message said is removed from the server; only the note that it was deleted stays. Search no longer finds it, and its file can no longer be opened. Fragments of its letters may stay in the search index for a while.',
      'An edited message keeps what it said before in its history, for those who may read the message.',
      'A file that was uploaded and never sent is removed after 7 days.',
    ],
  },
];

export const en: HelpDictionary = {
  label: 'Pages of help',
  pages: {
    faqs: 'Questions and answers',
    shortcuts: 'Keyboard shortcuts',
    contact: 'Contact',
    policy: 'Privacy policy',
  },
  faqs,
  faqsMore: 'If your question is not here, ask an administrator.',
  toContact: 'To the contacts',
  policy,
  policyMore: 'For everything else, follow the rules of your organisation and what its administrators say.',
  contact: {
    intro:
      'Your organisation runs this Engawa. Ask these administrators how to use it, to be added to a stream, or for help with a problem.',
    list: (count) => (count === 1 ? '1 administrator' : `${number.format(count)} administrators`),
    owner: 'Owner of the organisation',
    administrator: 'Administrator',
    me: 'You',
    write: 'Send a message',
    writeTo: (name) => `Send a message to ${name}`,
    none: 'No administrator was found. Ask those who run the computers of your organisation.',
    tell: 'What helps them to help you',
    what: [
      'What you wanted to do, and what happened instead, in the words of the screen',
      'When it happened, and in which stream',
      'Your device and browser, as “Security” lists them under where you are signed in',
    ],
    noPasswords: 'Never tell anyone your password, not even an administrator.',
  },
  shortcuts: {
    intro: 'Press ? anywhere to open this list, except while you are typing.',
    or: 'or',
    keys: {
      ctrl: 'Ctrl',
      command: '⌘',
      shift: 'Shift',
      enter: 'Enter',
      escape: 'Esc',
      space: 'Space',
      home: 'Home',
      end: 'End',
      context: 'Menu key',
    },
    groups: { everywhere: 'Everywhere', lists: 'Lists', writing: 'Message field', messages: 'Messages' },
    names: {
      search: 'Open the search',
      help: 'Open this list',
      close: 'Close what is open',
      tabs: 'Switch between the screens (on a tab)',
      walk: 'Move in a list',
      ends: 'To the start or end of a list',
      unfold: 'Unfold or fold a department',
      open: 'Open what is selected',
      send: 'Send',
      newLine: 'New line',
      mention: 'Show whom to mention',
      editLast: 'Edit your last message (in an empty field)',
      clear: 'Clear the field (can be undone)',
      walkMessages: 'To the previous or next message',
      messageTools: 'Open the tools of a message',
    },
  },
};
