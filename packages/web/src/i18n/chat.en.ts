import { counted, englishNumber as number } from './numbers.ts';
import type { ChatDictionary } from './chat.ja.ts';

export const en: ChatDictionary = {
  chat: {
    back: 'Back to the list',
    log: (stream) => `Messages in ${stream}`,
    noStream: 'Choose a stream',
    noStreamAdvice: 'Choose one from the organisation or the list of streams.',
    noMessagesAdvice: 'Write the first one.',
    loadingOlder: 'Loading earlier messages…',
    loadingMore: 'Loading messages…',
    moreFailed: 'The messages could not be loaded.',
    gone: 'This message cannot be found. It was deleted, or you may no longer read it.',
    toolsFailed: 'The message tools could not be loaded. Check your network and reload the page.',
    ledTo: (sender, text) => `Now at a message from ${sender}: ${text}`,
    olderFailed: 'Earlier messages could not be loaded.',
    toFirstUnread: (unread) => `Go to the first of ${unread}`,
    toNewest: 'Go to the newest message',
    toNewestWith: (count) => `${number.format(count)} new`,
    starred: 'Starred',
    edited: 'edited',
    bot: 'Bot',
    callsYou: 'mentions you',
    alertsYou: 'alert word',
    topic: (topic) => `Topic: ${topic}`,
    sending: 'Sending',
    held: 'Waiting to be sent',
    heldWhy: 'This message waits for the one before it. To send it sooner, send that one again or take it back.',
    progress: (name) => `Sending ${name}`,
    notSent: 'Not sent.',
    notWanted: (names) => `You cannot add ${names.join(', ')} to a group. Start a conversation without them.`,
    sendAgain: 'Send again',
    takeBack: 'Back to the message field',
    takeBackBlocked: 'No more files can be chosen. Send or remove some first.',
    download: (name, size) => `${name} ${size} Download`,
    openPicture: (name) => `Show ${name} large`,
    largePicture: 'Large picture. Press to show it',
    cancelUpload: (name) => `Cancel sending ${name}`,
    uploadCancelled: (name) => `“${name}” is not sent.`,
    tooManyPixels: 'Too many pixels to show. Download the picture to view it',
    noPreview: 'No preview',
    arrived: (sender, text) => `${sender}: ${text}`,
    notice: {
      created: (name) => `${name} created the group`,
      added: (name, others, more) => {
        const all = [...others, ...(more > 0 ? [counted(more, 'other', 'others')] : [])];
        return `${name} added ${all.join(', ')}`;
      },
    },
  },

  readers: {
    count: (count) => `Read by ${number.format(count)}`,
    open: 'See who has read it',
    failed: 'The read receipts could not be opened. Check your network and press again.',
  },

  messageTools: {
    reactions: 'Reactions',
    somebody: 'Unknown member',
    names: (names) => names.join(', '),
    reaction: (emoji, names) => `${emoji} ${number.format(names.length)}: ${names.join(', ')}`,
    quoted: (sender, time, link) => `${sender} (${time}) ${link}`,
    editCancelled: 'The edit was cancelled.',
    toolFailed: 'This could not be loaded. Check your network and try again.',
  },

  streamTools: {
    search: 'Search messages',
    audioCall: 'Audio call',
    videoCall: 'Video call',
    more: 'More actions',
    closed: (stream) => `“${stream}” was deleted.`,
    left: (stream) => `You are no longer a member of “${stream}”.`,
  },

  undo: 'Undo',
  drop: 'Drop here to attach',
};
