import { fullNameLength, maxAlertWordLength, maxAlertWords } from '@engawa/protocol';
import { imageRefusals, maxImageSide, maxLocationLength } from '@engawa/protocol/product';
import type { LaterDictionary } from './later.ja.ts';

const number = new Intl.NumberFormat('en-GB');

function counted(count: number, one: string, many: string): string {
  return `${number.format(count)} ${count === 1 ? one : many}`;
}

export const en: LaterDictionary = {
  sessions: {
    heading: 'Where you are signed in',
    advice: 'Sign out any device that you do not recognise.',
    device: (browser, system) => `${browser} on ${system}`,
    unknownDevice: 'Unknown device',
    current: 'This device',
    signedIn: (time) => `Signed in: ${time}`,
    lastUsed: (time) => `Last used: ${time}`,
    list: 'Devices that are signed in',
    end: 'Sign out',
    endNamed: (device) => `Sign out ${device}`,
    endOthers: 'Sign out all other devices',
    endOthersHeading: 'Sign out all other devices',
    endOthersQuestion: (count) =>
      `This signs out ${number.format(count)} other ${count === 1 ? 'device' : 'devices'}. What was written there and not sent is lost on it.`,
    cancel: 'Cancel',
    ending: 'Signing out…',
    ended: (device) => `${device} has been signed out.`,
    endedOthers: 'All other devices have been signed out.',
    onlyThis: 'This is the only device that is signed in.',
    loading: 'Loading devices…',
  },

  notifications: {
    inStream: (sender, stream) => `${sender} (${stream})`,
    many: (count) => `${number.format(count)} new messages`,
    offAdvice: 'Tells you of mentions and direct messages while you are doing something else.',
    onAdvice: 'You are told on this device. Not of the stream that you are reading, nor of muted ones.',
    denied:
      'This browser blocks notifications. Press the sign to the left of the address, set “Notifications” to “Allow”, and try again.',
    notAllowed: 'Notifications were not allowed. Press the switch again and choose “Allow”.',
    unsupported: 'This browser has no notifications for pages. Use Chrome, Edge, Firefox or Safari on a computer.',
    test: 'Send a test notification',
    sampleTitle: 'A test notification from Engawa',
    sampleBody: 'This is how you will be told.',
    sampleSent: 'A test notification was sent. If you do not see it, check the notification settings of your device.',
    sound: 'Notification sound',
    whichSound: 'Kind of sound',
    sounds: { chime: 'Chime', ding: 'Bell' },
    listen: 'Listen',
  },

  display: {
    themes: { light: 'Light', dark: 'Dark', system: 'As the device' },
    sendKey: 'Send with',
    sendKeys: { enter: 'Enter', ctrlEnter: 'Ctrl (⌘) + Enter' },
    timeZone: 'Time zone',
    timeZoneAdvice: (time) => `It is ${time} now. A part of the name of a city finds a zone.`,
    deviceZone: (zone) => `Use the zone of this device (${zone})`,
  },

  help: { failed: 'Help could not be opened. Check the network and try again.' },

  searchPanel: {
    field: 'Search messages, streams and members',
    scope: 'Where to search',
    here: (stream) => `In “${stream}”`,
    everywhere: 'All conversations',
    sender: 'Sender',
    senderIs: (name) => `Sender: ${name}`,
    senderSearch: 'Find the sender by name or reading',
    everyone: 'Everyone',
    from: 'From',
    to: 'To',
    hasFile: 'With a file',
    clear: 'Clear filters',
    results: 'Results',
    streams: 'Streams',
    people: 'Members',
    messages: 'Messages',
    inOthers: 'As a part of other words',
    messagesOf: (name) => `Messages of ${name}`,
    recent: 'Recent searches',
    forget: 'Clear history',
    advice: 'Type to search the messages that you can read. One character is enough, in hiragana as in katakana.',
    looking: 'Searching…',
    found: (count, more) => `${number.format(count)}${more ? ' or more' : ''} found`,
    none: 'Nothing found',
    noneAdvice: 'Try fewer letters or fewer filters.',
    noneYet: 'Nothing found so far',
    nobody: 'Nobody found. Type a part of the name or reading.',
    inAll: 'Search all streams',
    goOn: 'Search older messages',
    most: (count) => `The newest ${number.format(count)} are shown. Narrow the rest down by words or dates.`,
  },

  pictures: {
    previous: 'Previous picture',
    next: 'Next picture',
    place: (index, count) => `${number.format(index)} / ${number.format(count)}`,
    tools: (name) => `How ${name} is shown`,
    larger: 'Zoom in',
    smaller: 'Zoom out',
    actual: 'Actual size',
    whole: 'Fit',
    percent: (percent) => `${number.format(percent)}%`,
    download: 'Download',
    broken: 'This picture cannot be shown. Download it to look at it.',
  },

  organisationSettings: {
    heading: 'Organisation settings',
    receipts: 'Read receipts',
    receiptsAdvice: 'Of which messages members see who has read them. A change reaches everyone at once.',
    own: 'Own messages',
    all: 'All messages',
    none: 'None',
  },

  alertWords: {
    heading: 'Alert words',
    advice: 'Messages that hold one of these words stand out and are gathered under “Mentions and stars”, also within Japanese text.',
    label: 'Word',
    add: 'Add',
    list: 'Your alert words',
    remove: (word) => `Remove “${word}”`,
    removed: (word) => `Removed “${word}”`,
    undo: 'Undo',
    counter: (count, most) => `${number.format(count)} / ${number.format(most)}`,
    count: (count, most) => `${counted(count, 'word', 'words')} (${number.format(most)} at most)`,
    complaints: {
      missing: 'Please enter a word.',
      tooLong: `A word may have ${number.format(maxAlertWordLength)} characters at most.`,
      known: 'You have this word already.',
      tooMany: `You can have ${number.format(maxAlertWords)} words at most. Please remove one that you no longer need.`,
    },
  },

  profileForm: {
    picture: 'Profile picture',
    choose: 'Choose an image',
    hint: 'JPG, PNG or GIF, up to 5 MB',
    builtIn: 'Built-in pictures',
    builtInNames: { 1: 'Waves', 2: 'Mountains', 3: 'Cat', 4: 'Plum blossom', 6: 'Tea bowl', 7: 'Bamboo', 8: 'Crane' },
    across: 'Horizontal position',
    down: 'Vertical position',
    cropHint: 'Drag it, or use the arrow keys.',
    zoom: 'Zoom',
    asItIs: 'A GIF is used as it is, so that it keeps moving.',
    remove: 'Remove the picture',
    takeBack: 'Back to the picture before',
    save: 'Save',
    saving: 'Saving…',
    wrongType: imageRefusals.type,
    tooLarge: imageRefusals.size,
    tooWide: `Choose a GIF of at most ${number.format(maxImageSide)} pixels in width and height.`,
    complaints: {
      image: { required: 'Choose a picture.' },
      name: {
        required: 'Enter your name.',
        minLength: `Enter a name of at least ${fullNameLength.least} characters.`,
        maxLength: `Enter a name of at most ${fullNameLength.most} characters.`,
      },
      email: {
        required: 'Enter your email address.',
        email: 'Enter a valid email address.',
        not: 'Another member uses this email address.',
      },
      location: {
        required: 'Enter your location.',
        maxLength: `Enter a location of at most ${maxLocationLength} characters.`,
      },
    },
  },
};
