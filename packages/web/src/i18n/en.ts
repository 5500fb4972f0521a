import type { Dictionary } from './ja.ts';

const number = new Intl.NumberFormat('en-GB');

function counted(count: number, one: string, many: string): string {
  return `${number.format(count)} ${count === 1 ? one : many}`;
}

export const en: Dictionary = {
  tag: 'en-GB',
  product: 'Engawa',
  productLatin: 'Engawa',

  noRooms: 'No streams',
  newMessages: 'New messages',
  messageDeleted: 'This message was deleted',
  noMessages: 'No messages',
  conversationStartedOn: (day) => `Conversation started on ${day}`,
  search: 'Search',
  isOnline: 'is online',
  lastSeen: (time) => `last seen ${time}`,
  isWriting: (name) => `${name} is writing…`,

  inBrackets: (count) => `[${number.format(count)}]`,
  inParentheses: (count) => `(${number.format(count)})`,
  unread: (count) => `${number.format(count)} unread`,
  members: (count) => counted(count, 'member', 'members'),

  today: 'Today',
  yesterday: 'Yesterday',
  dayAndTime: (day, time) => `${day}, ${time}`,
  close: 'Close',
  again: 'Try again',
  loading: 'Loading…',

  tabs: {
    label: 'Views',
    organisation: 'Organisation',
    streams: 'Streams',
    settings: 'Settings',
    theme: 'Theme',
    toDark: 'Use the dark theme',
    toLight: 'Use the light theme',
    me: (name) => `${name} (open settings)`,
  },

  start: {
    opening: 'Opening Engawa…',
    failed: 'Engawa could not be opened',
    broken: 'The screen could not be shown',
    brokenAdvice: 'What you were writing is kept. Please reload. If it happens again, tell your administrator.',
    reload: 'Reload',
    exposed:
      'The demo sign-in can be reached from outside this computer. '
      + 'Anyone can come in without a password, so do not use it for real conversations.',
  },

  connection: {
    offline: 'You are offline. What you write is kept and can be sent once you are connected.',
    reconnecting: 'The connection was lost. Reconnecting…',
    signedOut: 'Your session has ended.',
    signInAgain: 'Sign in again',
    broken: 'Something went wrong, and new messages no longer arrive here. What you were writing is kept.',
    reload: 'Reload',
  },

  failures: {
    network: 'The server could not be reached. Check your network and try again.',
    signedOut: 'Your session has ended. Please sign in again.',
    refused: (message) => `The server did not accept this (${message}). Check what you sent and try again.`,
    noAccess: 'You are not in this stream, or it no longer exists. Ask your administrator.',
    busy: (seconds) => `The server is busy. Wait about ${counted(seconds, 'second', 'seconds')} and try again.`,
    server: 'Something went wrong on the server. Wait a moment and try again; if it repeats, tell your administrator.',
    malformed:
      'The server’s answer could not be read. Wait a moment and try again; if it repeats, tell your administrator.',
    fileTooLarge: (most) => `The file is too large. Choose one of at most ${most}.`,
  },

  organisation: {
    heading: 'Organisation',
    search: 'Search departments',
    tree: 'Departments',
    noAccess: 'You do not have access.',
    noneFound: 'Nothing found',
    noneFoundAdvice: 'Type a part of the department’s name.',
    none: 'No departments',
    fold: 'Fold',
    unfold: 'Unfold',
  },

  streams: {
    heading: 'Streams',
    search: 'Search streams',
    list: 'Streams',
    noneAdvice: 'The streams that you belong to appear here.',
    noneFound: 'Nothing found',
    noneFoundAdvice: 'Type a part of the stream’s name.',
    preview: (sender, text) => `${sender}: ${text}`,
  },

  chat: {
    back: 'Back to the list',
    log: (stream) => `Messages in ${stream}`,
    noStream: 'Choose a stream',
    noStreamAdvice: 'Pick one from the organisation or from the list of streams.',
    noMessagesAdvice: 'Write the first one.',
    loadingOlder: 'Loading earlier messages…',
    olderFailed: 'Earlier messages could not be loaded.',
    toNewest: 'To the newest message',
    toNewestWith: (count) => `${number.format(count)} new`,
    edited: 'edited',
    topic: (topic) => `Topic: ${topic}`,
    sending: 'Sending',
    progress: (name) => `Sending ${name}`,
    notSent: 'Not sent.',
    sendAgain: 'Send again',
    takeBack: 'Back to the text box',
    takeBackBlocked: 'Another file is chosen. Send or remove it first.',
    download: 'Download',
    arrived: (sender, text) => `${sender}: ${text}`,
  },

  composer: {
    label: (stream) => `Message to ${stream}`,
    placeholder: 'Write a message',
    attach: 'Attach a file',
    emoji: 'Emoji',
    send: 'Send',
    hint: 'Enter to send, Shift + Enter for a new line',
    removeFile: (name) => `Remove ${name}`,
    draftKept: 'Your text is sent before the file',
    cleared: 'Your text was cleared',
    undo: 'Undo',
    drop: 'Drop here to attach',
    tooLong: (length, most) =>
      `Too long to send (${number.format(length)} / ${number.format(most)} characters). Send it in parts.`,
    onlyOne: 'One file can be attached at a time. The first one was chosen.',
    tooLarge: (name, most) => `“${name}” is too large to attach. Choose a file of at most ${most}.`,
  },

  emoji: {
    label: 'Choose an emoji',
    search: 'Search emoji',
    categories: 'Categories',
    frequent: 'Frequently used',
    people: 'People',
    nature: 'Nature',
    objects: 'Objects',
    places: 'Places',
    symbols: 'Symbols',
    noneFound: 'Nothing found. Try a word such as “party” or “いいね”.',
    failed: 'The emoji could not be loaded.',
  },

  settings: {
    heading: 'Settings',
    name: 'Name',
    email: 'Email',
    profile: 'Personal info',
    display: 'Display',
    language: 'Language',
    japanese: '日本語',
    english: 'English',
    theme: 'Theme',
    light: 'Light',
    dark: 'Dark',
    switchMember: 'Switch member',
    switchMemberAdvice: 'This is the demo sign-in: look at it as somebody else.',
    logout: 'Log out',
    languageFailed: 'The language could not be loaded. Check your network and choose it again.',
  },

  session: {
    heading: 'Sign in',
    advice: 'Choose who to come in as. No password is needed.',
    search: 'Search by name, reading or department',
    found: (count) => counted(count, 'person', 'people'),
    noneFound: 'Nothing found. Type a part of the name or its reading.',
    noCandidates: 'There is nobody to choose. Ask your administrator.',
    otherReadings: 'Others',
    current: 'You are this member',
  },
};
