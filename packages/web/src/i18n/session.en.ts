import { fullNameLength } from '@engawa/protocol';
import { englishDuration } from './durations.ts';
import { englishNumber as number } from './numbers.ts';
import type { SessionDictionary } from './session.ja.ts';

export const en: SessionDictionary = {
  language: 'Language',
  japanese: '日本語',
  english: 'English',
  toSignIn: 'Go to the sign-in page',
  failures: {
    wrong: 'The email or password is wrong.',
    deactivated: 'This account has been deactivated. Ask your administrator.',
    tooMany: (seconds) => `Too many attempts. Wait about ${englishDuration(seconds)}, then try again.`,
    offline: 'The server could not be reached. Your input is still here. Check your network, then try again.',
  },

  fields: {
    code: 'Setup code',
    organisation: 'Name of the organisation',
    name: 'Name',
    reading: 'Reading of the name, in kana (optional)',
    email: 'Email',
    password: 'Password',
  },

  complaints: {
    code: {
      required: 'Enter the setup code.',
      maxLength: 'This setup code is wrong. Enter it as shown in the log.',
      wrong: 'This setup code is wrong. Enter it as shown in the log.',
    },
    organisation: {
      required: 'Enter the name of the organisation.',
      maxLength: 'Use at most 100 characters for the name of the organisation.',
    },
    name: {
      required: 'Enter a name.',
      minLength: `Use at least ${fullNameLength.least} characters for the name.`,
      maxLength: `Use at most ${fullNameLength.most} characters for the name.`,
      taken: 'Another member has this name, or one that looks the same. Add something that tells you apart, such as “(Sales)”.',
    },
    reading: { maxLength: 'Use at most 100 characters for the reading.' },
    email: {
      required: 'Enter an email address.',
      email: 'This is not an email address. Enter one like name@example.com.',
      maxLength: 'This email address is too long.',
      taken: 'This email address is already in use.',
    },
    password: { required: 'Enter the password.' },
  },

  pick: {
    advice: 'Choose a member to sign in as. No password is needed.',
    search: 'Search by name, reading or department',
    found: (count) => `${number.format(count)} ${count === 1 ? 'person' : 'people'}`,
    noneFound: 'Nothing found. Type a part of the name or its reading.',
    noCandidates: 'There are no members to choose from. Ask your administrator.',
    otherReadings: 'Others',
    current: 'You are this member',
  },

  signIn: {
    heading: 'Sign in',
    busy: 'Signing in…',
    forgotten: 'Forgot your password?',
    otherWays:
      'To sign in without waiting, use a browser in which you have signed in before, or reset your password with “Forgot your password?”. This also helps if the wrong attempts were not yours.',
    ended:
      'You have been signed out by another device or an administrator, or because your password has changed. Your drafts are kept.',
    alreadySetUp: 'Engawa is already set up. Please sign in.',
    invitationAgain: 'The page was reloaded. To join, open your invitation link again.',
    passwordAgain: 'The page was reloaded. To set your password, open the password link again.',
  },

  chatServer: {
    advice: 'Use the name and password of your organisation’s chat server.',
    name: 'Email (or user name)',
    nameRequired: 'Enter the email or user name that you use on the chat server.',
    wrong: 'The name or password is wrong. Enter those that you use on the chat server.',
    forgotten: 'If you have forgotten your password, reset it on the chat server’s screens or ask your administrator.',
    noPasswords: 'Your organisation’s chat server does not allow signing in with a password. Ask your administrator.',
    noLinks:
      'Your organisation’s chat server manages invitations and passwords. To join or to change your password, ask your administrator.',
  },

  forgotten: {
    heading: 'Reset your password',
    advice: 'We send a link to reset your password to the email address of your account.',
    submit: 'Send the link',
    busy: 'Sending…',
    sentHeading: 'Check your email',
    sent: (email) =>
      `If ${email} is the address of a member, a link to reset the password is on its way. It is valid for 24 hours. If several arrive, use the newest one. If nothing arrives, check your spam folder, too.`,
    noMailHeading: 'Forgot your password?',
    noMail:
      'Ask an administrator of your organisation to reset your password. They give you a link with which you set a new one.',
    noMailAdministrator:
      'If no administrator can sign in either, the person who runs the server can reset it with engawa user reset-password.',
    back: 'Back to sign-in',
  },

  setUp: {
    heading: 'Set up Engawa',
    advice: 'This creates your organisation, and your account as its owner.',
    codeAdvice: 'It is shown in the server’s log. Each start of the server creates a new one.',
    nameAdvice: 'This is how other members see you.',
    submit: 'Create the organisation',
    busy: 'Creating…',
  },

  invitation: {
    heading: (organisation) => `Join ${organisation}`,
    invitedBy: (name) => `${name} has invited you.`,
    readingAdvice: 'Used to find and sort names.',
    submit: 'Join',
    busy: 'Joining…',
    taken: 'There is already a member with this email address. Please sign in.',
  },

  password: {
    heading: 'Set your password',
    advice: (name) => `Choose a new password for ${name}.`,
    ends: 'This signs you out on all devices and revokes all your API keys.',
    label: 'New password',
    submit: 'Set password and sign in',
    busy: 'Setting…',
  },

  link: {
    loading: 'Checking the link…',
    failed: 'The link could not be checked',
    notValid: 'This link does not work',
    notValidAdvice: {
      invitation:
        'It was used or withdrawn, or has expired. Ask the person who invited you for a new one. If you have already joined, sign in.',
      password: 'It was used or has expired. Request a new one with “Forgot your password?”, or ask your administrator.',
    },
    notValidNoMail: 'It was used or has expired. Ask an administrator for a new link.',
    cutOff: 'If you copied it from an email, check that it is complete.',
  },

  signedIn: {
    heading: 'You are already signed in',
    question: (name) => `You are signed in as ${name} in this browser. If you continue, ${name} is signed out here.`,
    goOn: 'Continue',
    stay: (name) => `Stay signed in as ${name}`,
  },
};
