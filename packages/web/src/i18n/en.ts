import { en as chat } from './chat.en.ts';
import type { Dictionary } from './ja.ts';
import { counted, englishNumber as number } from './numbers.ts';
import { en as streams } from './streams.en.ts';

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = 'January February March April May June July August September October November December'.split(' ');

export const en: Dictionary = {
  tag: 'en-GB',
  productLatin: 'Engawa',
  noRooms: 'No streams',
  newMessages: 'New messages',
  messageDeleted: 'This message was deleted',
  noMessages: 'No messages',
  conversationStartedOn: (day) => `Conversation started: ${day}`,
  search: 'Search',
  isOnline: 'is online',
  lastSeen: (time) => `last seen ${time}`,
  isWriting: (name) => `${name} is writing…`,
  areWriting: (one, other) => `${one} and ${other} are writing…`,
  manyAreWriting: (count) => `${number.format(count)} people are writing…`,
  inBrackets: (count) => `[${number.format(count)}]`,
  inParentheses: (count) => `(${number.format(count)})`,
  unread: (count) => `${number.format(count)} unread`,
  mentions: (count) => counted(count, 'mention', 'mentions'),
  directs: (count) => `${number.format(count)} of them direct`,
  withAt: (count) => `@${number.format(count)}`,
  atMost: (count, most) => (count > most ? `${number.format(most)}+` : number.format(count)),
  members: (count) => counted(count, 'member', 'members'),
  today: 'Today',
  yesterday: 'Yesterday',
  date: (date, withWeekday, withYear) => {
    const [weekday, year] = [weekdays[date.getUTCDay()], date.getUTCFullYear()];
    const before = withWeekday ? `${weekday}${withYear ? ',' : ''} ` : '';
    return `${before}${date.getUTCDate()} ${months[date.getUTCMonth()]}${withYear ? ` ${year}` : ''}`;
  },
  dayAndTime: (day, time) => `${day}, ${time}`,
  close: 'Close',
  again: 'Try again',
  loading: 'Loading…',
  notLoaded: 'This could not be loaded. Check your network and try again.',
  noneFound: 'Nothing found',
  tabs: {
    label: 'Views',
    toComposer: 'Go to the message field',
    organisation: 'Organisation',
    streams: 'Streams',
    settings: 'Settings',
    theme: 'Theme',
    toDark: 'Use the dark theme',
    toLight: 'Use the light theme',
    me: (name) => `${name} (open settings)`,
    switchFrom: (name) => `${name} (switch member)`,
  },

  start: {
    opening: 'Opening Engawa…',
    failed: 'Engawa could not be opened',
    goesOn: 'It opens automatically as soon as it can connect.',
    broken: 'The screen could not be shown',
    brokenAdvice: 'Your drafts are kept. Please reload. If it happens again, tell your administrator.',
    reload: 'Reload',
    exposed:
      'The demo sign-in can be reached from outside this computer. ' +
      'Anyone can sign in without a password, so do not use it for real conversations.',
  },

  connection: {
    offline: 'You are offline. Your messages are kept and sent once you are connected.',
    reconnecting: 'The connection was lost. Reconnecting…',
    chatServerAway: 'The chat server does not answer. Your messages are kept and sent once it does.',
    signedOut: 'You have been signed out.',
    signInAgain: 'Sign in again',
    reload: 'Reload',
    broken: 'Something went wrong, and new messages no longer arrive here. Your drafts are kept.',
  },

  failures: {
    network: 'The server could not be reached. Check your network and try again.',
    signedOut: 'You have been signed out. Please sign in again.',
    refused: (message) => `The server did not accept this (${message}). Check what you sent and try again.`,
    noAccess: 'You are not in this stream, or it no longer exists. Ask your administrator.',
    groupNotWanted: 'Somebody here does not accept group messages, so this was not sent. Write to each of them instead.',
    changedElsewhere: 'It was edited on another device, so this was not saved. Check the current text and try again.',
    busy: (seconds) => `The server is busy. Wait about ${counted(seconds, 'second', 'seconds')} and try again.`,
    server: 'Something went wrong on the server. Try again in a moment. If it happens again, tell your administrator.',
    chatServerAway:
      'The chat server does not answer. What you have written is kept. Try again in a moment. If it happens again, tell your administrator.',
    storage: 'The server could not save this, so nothing has changed. Ask your administrator to check the server’s disk.',
    locked: 'Another program is using the server’s data, so nothing has changed. Try again in a moment.',
    toBeCompleted: 'Your change was accepted and appears once the server can save it. You do not need to repeat it.',
    notReady: 'The search is being prepared. It continues as soon as it is ready.',
    malformed: 'The server’s answer could not be read. Try again in a moment. If it happens again, tell your administrator.',
    fileGone: 'The file cannot be read, because it was changed, moved or deleted. Choose it again.',
    fileTooLarge: (most) => `The file is too large. Choose one of at most ${most}.`,
    tooFar: (most) =>
      `That message is too old, so nothing has changed. Choose one of the newest ${number.format(most)} messages.`,
    halfDone: (why) => `Only a part was done. ${why}`,
    notInStreams: (streams) =>
      `You are not in these private streams of departments: ${streams}. Ask a member of each to add you, and try again.`,
    notWanted: (count) =>
      `${counted(count, 'member does', 'members do')} not accept being added by you. Leave them out and try again.`,
    nameTaken: 'This name is already in use. Choose another one.',
    nameIsMine: 'You are already in a stream with this name. Choose another name, or open that stream.',
  },

  memberCard: {
    open: (name) => `Show the profile of ${name}`,
    failed: 'The profile could not be opened. Check the network and press again.',
    idle: 'away',
    busy: 'Busy',
  },

  searchFailed: 'The search could not be loaded. Check the network and open it again.',
  helpFailed: 'Help could not be opened. Check the network and try again.',
  mention: {
    heading: 'Mentions and stars',
    failed: 'The members could not be loaded. Type @ again.',
    all: 'Everyone',
  },

  emoji: {
    failed: 'The emoji could not be loaded.',
  },

  ...chat,
  ...streams,
};
