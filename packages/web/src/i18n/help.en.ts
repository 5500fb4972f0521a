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
    heading: 'How do I mention somebody?',
    paragraphs: [
      'Type @ in the message field and candidates appear. Kanji, kana and romaji all find them. Move with ↑↓ and choose with Enter.',
      {
        needs: 'department_mentions',
        text: '“@all” notifies everybody in the stream, and “@department” its members and those of the departments below. Members marked as not in the stream are not notified.',
        otherwise: '“@all” notifies everybody in the stream. Members marked as not in the stream are not notified.',
      },
      'Messages that mention you are listed under “Mentions and stars”, above the list of streams.',
    ],
  },
  {
    heading: 'How do I quote a message in a reply?',
    paragraphs: [
      'Press “Quote and reply” at the message, and the quote appears above the message field. If you select a part of the message first, only that part is quoted.',
      'You can quote several messages. The × removes a quote. A press on a quote in a message leads to the original.',
    ],
  },
  {
    heading: 'How do I find an earlier message?',
    paragraphs: [
      'Press Ctrl + K (⌘ + K on a Mac), or the magnifying glass above the messages.',
      {
        needs: 'substring_search',
        text: 'A single character is enough, in hiragana or katakana.',
        otherwise: 'Your organisation’s chat server finds whole words only. Japanese text without spaces is one word.',
      },
      'Narrow the search by sender, by days, or to messages with a file. A result opens with the messages around it. The search covers only messages that you may read.',
    ],
  },
  {
    heading: 'When does a message count as read?',
    paragraphs: [
      'When its stream is open, the window is in front, and the message has stayed in view. Messages that you only scroll past stay unread.',
      'To come back to it later, choose “Mark unread from here” under “More” of a message. Unread counts are the same on all of your devices.',
    ],
  },
  {
    heading: 'Can I see who has read my message?',
    paragraphs: [
      {
        needs: 'read_receipts',
        text: 'Press “Read” under your message to see who has read it and who has not. The organisation decides for which messages this is shown.',
        otherwise: 'Press “Read” under your message to see who has read it.',
      },
      {
        needs: 'read_receipts',
        text: 'If you switch read receipts off under “Privacy”, nobody sees what you read, and you do not see what others have read.',
        otherwise: 'If you switch read receipts off under “Privacy”, nobody sees what you read.',
      },
    ],
  },
  {
    heading: 'How do I get notifications?',
    paragraphs: [
      'Switch on “Notifications” under “Security” and choose “Allow” when the browser asks. Each device needs its own permission. “Send a test notification” shows that it works.',
      'At first, you are notified of mentions, alert words and direct messages. For each stream, choose all messages, mentions only, or none (muted).',
      'You are not notified of muted streams, not even of mentions there, nor of the conversation that you are reading or of your own messages.',
    ],
  },
  {
    heading: 'How do I send a file?',
    paragraphs: [
      'Press the paper clip next to the message field, drop the file on the messages, or paste a picture. You can send up to ten files at a time, each as its own message. Put a folder into a ZIP file.',
      'Only people who may read the message can open its file.',
    ],
  },
  {
    heading: 'Can I correct or delete my messages?',
    paragraphs: [
      'Point at the message, open “More”, and choose “Edit” or “Delete” (press and hold on a telephone). Your organisation may not allow it, or only for some time.',
      'An edited message is marked as such and keeps its history. A deleted message disappears for everybody and cannot be restored.',
    ],
  },
  {
    heading: 'What can guests see?',
    paragraphs: [
      'Where people from outside (guests) take part, “Guests can read this” is below the name of the stream or conversation. Press it to see who they are.',
      {
        needs: 'guest_sight',
        text: 'Guests see only the conversations that they are in, and who is there now. They do not see other streams, members or departments. They can read the messages and files of their streams.',
        otherwise:
          'Guests can read the messages and files of their streams, and not those of other conversations. The settings of your organisation’s chat server decide which members they see.',
      },
    ],
  },
  {
    heading: 'How can another program post?',
    paragraphs: [
      {
        needs: 'hooks',
        text: 'Under Settings, Hooks, choose a stream, create an address, and set it in a program such as monitoring or an issue tracker. The address is shown only then, and anyone who knows it can post. Mentions in such a post notify nobody.',
        otherwise: 'Create a bot for incoming webhooks in the screens of your organisation’s chat server.',
      },
    ],
  },
  {
    heading: 'Can I use it with the keyboard alone?',
    paragraphs: ['Yes. Press ? for the list of keys. Tab moves between the parts of the screen, ↑↓ within lists and messages.'],
  },
];

const calls: HelpDictionary['calls'] = [
  {
    heading: 'How do I start a call?',
    paragraphs: [
      'Press the telephone or the camera at the top of a stream or direct conversation, or on a profile. Check your video and your microphone in the dialog, and press “Start the call”.',
      'In direct conversations and in streams of up to 10 people, the devices of the others ring for 30 seconds. Larger streams do not ring; they show “Join” at the top.',
      'The devices of people who are busy, who are in another call, or who have muted the conversation do not ring.',
    ],
  },
  {
    heading: 'How do I answer a call?',
    paragraphs: [
      'Press “Accept with audio” or “Accept with video”. If you press “Decline”, all your devices stop ringing. While you are typing, Ctrl + Shift + A accepts and Ctrl + Shift + D declines.',
      'A call that you did not answer stays as a missed call, and the conversation shows “No answer”.',
    ],
  },
  {
    heading: 'How many people can take part?',
    paragraphs: [
      'The dialog before the call says how many can take part. Up to 6 people can use their cameras. With 7 or more there is only audio and screen sharing. From the fifth person on, you join muted.',
      'You can be in one call at a time. If you join on another device or in another tab, the call moves there.',
    ],
  },
  {
    heading: 'What can I do during a call?',
    paragraphs: [
      'Turn your microphone and camera on and off, and share your screen on a computer. Make the call smaller or larger, and read and write messages meanwhile.',
      'M switches the microphone and V the camera. While you are muted, hold Space to speak, except while you are typing.',
    ],
  },
  {
    heading: 'My microphone or camera does not work. What can I do?',
    paragraphs: [
      'Allow the microphone and camera at the lock in the address bar of your browser. If another app is using them, close it. Before you join, try “Play a test sound” and “Record 3 seconds and listen”.',
      'If the address begins with http, the browser does not allow the microphone. Ask an administrator for the https address. Without a microphone you can still join to listen only.',
      'If the call says that there is no direct connection, the network may block traffic between devices. Tell an administrator.',
    ],
  },
  {
    heading: 'Are calls recorded?',
    paragraphs: [
      'No, neither sound nor video. The server only stores when a call took place and who took part, which the members of the conversation can see. There are no captions.',
    ],
  },
];

const policy: readonly HelpPart[] = [
  {
    heading: 'Where is my data stored?',
    paragraphs: [
      {
        needs: 'stores_messages',
        text: 'Messages, files, profiles and settings are stored only on this server, which your organisation runs. Engawa sends nothing to other services and collects no usage data.',
        otherwise:
          'Messages and profiles are stored on your organisation’s chat server. Files, departments and locations are stored on this server, which your organisation runs. Engawa sends nothing elsewhere and collects no usage data.',
      },
    ],
  },
  {
    heading: 'What is stored?',
    paragraphs: [
      'The messages that you write and the files that you send, your reactions and stars, and how far you have read.',
      'When you started a call and when it ended, who took part, and who did not answer (for 400 days). No sound and no video is stored.',
      'Your profile and settings: name, email, location, picture and status.',
      'Where you are signed in: the kind of browser and device, when and from which network address you signed in, and when it was last used. You see this and can end it under “Security”. A sign-in expires after 90 days. Neither the browser nor the server stores your password as it is.',
      'Your drafts are also saved on the server, where only you can see them, so that you can continue on another device. You can turn this off in the settings. Your browser stores a copy of them, the theme and language, and your recent searches. Signing out deletes that copy.',
    ],
  },
  {
    heading: 'Who sees it?',
    paragraphs: [
      'Only people who may read a stream or a direct conversation see its messages and files. The same applies to the search. Nobody else sees your stars.',
      {
        needs: 'guest_sight',
        text: 'All members of the organisation see your name and email, and guests only while they share a conversation with you.',
        otherwise:
          'All members of the organisation see your name. The settings of your organisation’s chat server decide who sees your email.',
      },
      {
        needs: 'audiences',
        text: 'Under “Privacy” you decide who sees your picture, your status, when you were last seen, and what you have read.',
        otherwise:
          'All members of the organisation see your picture and status. Under “Privacy” you decide whether others see when you were last seen, and what you have read.',
      },
      'Administrators cannot read direct messages of others in Engawa either. The people who run the server can access the data that it stores.',
    ],
  },
  {
    heading: 'What happens to deleted data?',
    paragraphs: [
      {
        needs: 'stores_messages',
        text: 'The text of a deleted message is removed from the server. Only a note that it was deleted stays. The search no longer finds it, and its file can no longer be opened. Fragments of its text may stay in the search index for a while.',
        otherwise:
          'A deleted message disappears for everybody. The search no longer finds it, and its file can no longer be opened. Your organisation’s chat server may keep the deleted text for a while.',
      },
      'An edited message keeps its earlier texts in its history, for people who may read the message.',
      'A file that was uploaded but never sent is deleted after 7 days.',
    ],
  },
];

export const en: HelpDictionary = {
  label: 'Pages of help',
  pages: {
    faqs: 'Questions and answers',
    calls: 'Calls',
    shortcuts: 'Keyboard shortcuts',
    contact: 'Contact',
    policy: 'Privacy policy',
  },
  faqs,
  faqsMore: 'If your question is not here, ask an administrator.',
  toContact: 'Go to the contacts',
  calls,
  callsOff: 'Calls are switched off in this organisation.',
  policy,
  policyMore: 'For everything else, follow the rules of your organisation and ask its administrators.',
  contact: {
    intro:
      'Your organisation runs this Engawa. Ask these administrators how to use it, to be added to a stream, or for help with a problem.',
    list: (count) => (count === 1 ? '1 administrator' : `${number.format(count)} administrators`),
    owner: 'Owner of the organisation',
    administrator: 'Administrator',
    me: 'You',
    write: 'Send a message',
    writeTo: (name) => `Send a message to ${name}`,
    none: 'No administrator was found. Ask the IT staff of your organisation.',
    tell: 'What to include',
    what: [
      'What you wanted to do, what happened instead, and the message on the screen',
      'When it happened, and in which stream',
      'Your device and browser, as listed under “Security”',
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
    groups: {
      everywhere: 'Everywhere',
      lists: 'Lists',
      writing: 'Message field',
      messages: 'Messages',
      calls: 'In a call, except while you are typing',
    },
    names: {
      search: 'Open the search',
      help: 'Open this list',
      close: 'Close what is open',
      tabs: 'Switch between the screens (on a tab)',
      walk: 'Move in a list',
      ends: 'Go to the start or end of a list',
      unfold: 'Expand or collapse a department',
      open: 'Open what is selected',
      send: 'Send',
      newLine: 'New line',
      mention: 'Mention somebody',
      editLast: 'Edit your last message (in an empty field)',
      clear: 'Clear the field (can be undone)',
      walkMessages: 'Go to the previous or next message',
      messageTools: 'Open the tools of a message',
      callMute: 'Mute or unmute the microphone',
      callCamera: 'Turn the camera on or off',
      callTalk: 'Speak while you hold it, if you are muted',
      callAccept: 'Accept an incoming call with audio (also while typing)',
      callDecline: 'Decline an incoming call (also while typing)',
    },
  },
};
