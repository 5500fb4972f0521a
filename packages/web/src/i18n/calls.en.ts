import type { CallsDictionary } from './calls.ja.ts';
import { counted, englishNumber as number } from './numbers.ts';

const people = (count: number) => counted(count, 'person', 'people');
const listed = (names: readonly string[], others: number) =>
  `${names.join(', ')}${others > 0 ? ` and ${number.format(others)} more` : ''}`;

export const en: CallsDictionary = {
  kinds: { audio: 'Audio call', video: 'Video call' },
  panel: 'Call',
  you: 'You',
  someone: 'Unknown member',
  close: 'Close',

  join: {
    limit: (most) => `Up to ${number.format(most)} people can take part.`,
    limitOfCameras: (most) => `Up to ${number.format(most)} people can use their cameras.`,
    already: (names, others) => `In the call: ${listed(names, others)}.`,
    nobodyOnline: 'Nobody is online at the moment. If you ring, it becomes a missed call after 30 seconds.',
    rings: (name, isPerson) => `${isPerson ? name : `The members of ${name}`} will be called for 30 seconds once you join.`,
    mutedAtFirst: 'You join muted because many people are in the call.',
    asking: 'Please allow the use of your microphone. Your browser is asking you now.',
    askingBoth: 'Please allow the use of your microphone and camera. Your browser is asking you now.',
    ownPicture: 'Your video',
    cameraIsOff: 'Your camera is off',
    level: 'Microphone level',
    levelAdvice: 'The bars move when you speak.',
    devices: { microphone: 'Microphone', camera: 'Camera', speaker: 'Speaker' },
    unnamed: (kind, index) => `${kind} ${number.format(index)}`,
    testSound: 'Play a test sound',
    record: 'Record 3 seconds and listen',
    recording: 'Recording…',
    start: 'Start the call',
    join: 'Join',
    listen: 'Join to listen only',
    cancel: 'Cancel',
    again: 'Try again',
    joining: 'Joining…',
    move: 'Switch to this device',
    otherDevice: 'You are in a call on another device. Switch to this one?',
    otherTab: 'You are in a call in another tab. Switch to this one?',
  },

  problems: {
    insecure:
      'Your browser does not allow the microphone over this connection (http). Ask an administrator for the https address.',
    unsupported: 'This browser does not support calls.',
    refused:
      'The use of the microphone is not allowed. Allow it at the lock in the address bar and try again. You can also join to listen only.',
    cameraRefused: 'The use of the camera is not allowed. You join with audio. You can allow it at the lock in the address bar.',
    noMicrophone: 'No microphone was found. You can join to listen only.',
    noCamera: 'There is no camera. You join with audio.',
    microphoneInUse: 'Another app is using the microphone. Close it and try again.',
    cameraInUse: 'Another app is using the camera. Close it and try again.',
  },

  ring: {
    label: (name) => `Call from ${name}`,
    audio: 'Incoming audio call',
    video: 'Incoming video call',
    inStream: (stream) => `in ${stream}`,
    acceptAudio: 'Accept with audio',
    acceptVideo: 'Accept with video',
    decline: 'Decline',
    keys: 'Ctrl + Shift + A accepts, Ctrl + Shift + D declines',
  },

  missed: {
    label: 'Missed call',
    from: (name, time) => `Missed call (${name}, ${time})`,
    advice: 'Press to open the conversation.',
    back: 'Call back',
  },

  tile: {
    speaking: 'Speaking',
    muted: 'Muted',
    listens: 'Listening only',
    links: { connecting: 'Connecting…', reconnecting: 'Reconnecting…', noPath: 'No connection' },
    noPath: (name) =>
      `There is no direct connection to ${name}. The network may block traffic between devices (for administrators: TURN_URL).`,
    reconnect: 'Reconnect',
    camera: (name) => `Video of ${name}`,
    ownCamera: 'Your video',
    screen: (name) => `Screen of ${name}`,
    ownScreen: 'You are sharing your screen',
  },

  state: {
    waiting: 'Ringing…',
    alone: 'Waiting for others',
    ringAgain: 'Ring again',
    joining: 'Connecting…',
    serverAway: 'The server cannot be reached, but the call goes on.',
    noMediaServer:
      'The server that carries the call cannot be reached. The network may block it (for administrators: CALLS_UDP_PORT, LIVEKIT_URL).',
    camerasOff: (from) => `With ${number.format(from)} or more people there is only audio and screen sharing.`,
    deviceLost: (lost, now) => `“${lost}” was unplugged.${now === undefined ? '' : ` Switched to “${now}”.`}`,
    talking: 'You can speak (release Space to mute)',
    participants: (count) => `${counted(count, 'participant', 'participants')}`,
  },

  controls: {
    label: 'Call controls',
    mute: 'Mute',
    unmute: 'Unmute',
    cameraOn: 'Turn the camera on',
    cameraOff: 'Turn the camera off',
    screenOn: 'Share your screen',
    screenOff: 'Stop sharing',
    flip: 'Switch between front and back camera',
    devices: 'Microphone, camera and speaker',
    leave: 'Leave',
    collapse: 'Make smaller',
    expand: 'Open the call',
    enlarge: 'Make larger',
  },

  said: {
    joined: (name) => `${name} joined`,
    left: (name) => `${name} left`,
    muted: 'You are muted',
    unmuted: 'You are no longer muted',
    otherMuted: (name) => `${name} is muted`,
    otherUnmuted: (name) => `${name} is no longer muted`,
    sharing: (name) => `${name} is sharing the screen`,
  },

  ended: {
    unanswered: 'There was no answer.',
    declined: 'They cannot take the call right now.',
    moved: 'The call was moved to another device or tab.',
    full: (most) => `This call is full (up to ${number.format(most)} people).`,
    removed: 'You left the call because you are no longer a member of this conversation.',
    over: 'The call has ended.',
    failed: 'The call could not be connected. Please try again later.',
  },

  elsewhere: {
    otherTab: 'You are in a call in another tab.',
    toTab: 'Go to the tab of the call',
    move: 'Switch to this tab',
    here: 'The call is in this tab',
    pressNotification: 'Press the notification to go to the tab of the call.',
    findTab: 'Choose the tab of the call in your browser. If you allow notifications, this button can open it.',
  },

  ongoing: {
    label: 'Ongoing call',
    one: (name) => `${name} is in a call`,
    many: (names, others) => `${listed(names, others)} are in a call`,
    join: 'Join',
  },

  card: {
    minutes: (minutes) => (minutes === 0 ? 'under 1 min' : minutes < 60 ? `${number.format(minutes)} min` : hours(minutes)),
    people,
    unanswered: 'No answer',
    ongoing: 'Ongoing',
    join: 'Join',
    summary: (parts) => parts.join('\u00a0· '),
    back: 'Call back',
  },
};

function hours(minutes: number): string {
  const rest = minutes % 60;
  return `${number.format(Math.floor(minutes / 60))} h${rest === 0 ? '' : ` ${number.format(rest)} min`}`;
}
