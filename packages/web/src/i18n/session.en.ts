import { fullNameLength } from '@engawa/protocol';
import { englishDuration, englishNumber as number } from './numbers.ts';
import type { SessionDictionary } from './session.ja.ts';

export const en: SessionDictionary = {
  language: 'Language',
  japanese: '日本語',
  english: 'English',
  toSignIn: 'Go to sign-in',
  failures: {
    wrong: 'The email or the password is wrong.',
    deactivated: 'This account has been deactivated. Ask your administrator.',
    tooMany: (seconds) => `Too many tries. Wait about ${englishDuration(seconds)}, then try again.`,
    offline: 'The server could not be reached. What you typed is still here. Check your network, then try again.',
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
      maxLength: 'This setup code is wrong. Enter it as the log shows it.',
      wrong: 'This setup code is wrong. Enter it as the log shows it.',
    },
    organisation: {
      required: 'Enter the name of the organisation.',
      maxLength: 'The name of an organisation may have up to 100 characters.',
    },
    name: {
      required: 'Enter a name.',
      minLength: `A name needs at least ${fullNameLength.least} characters.`,
      maxLength: `A name may have up to ${fullNameLength.most} characters.`,
    },
    reading: { maxLength: 'A reading may have up to 100 characters.' },
    email: {
      required: 'Enter an email address.',
      email: 'This is not an email address. Enter one like name@example.com.',
      maxLength: 'This email address is too long.',
      taken: 'This email address is already in use.',
    },
    password: { required: 'Enter the password.' },
  },

  pick: {
    advice: 'Choose who to come in as. No password is needed.',
    search: 'Search by name, reading or department',
    found: (count) => `${number.format(count)} ${count === 1 ? 'person' : 'people'}`,
    noneFound: 'Nothing found. Type a part of the name or its reading.',
    noCandidates: 'There is nobody to choose. Ask your administrator.',
    otherReadings: 'Others',
    current: 'You are this member',
  },

  signIn: {
    heading: 'Sign in',
    busy: 'Signing in…',
    forgotten: 'Forgotten your password?',
    ended:
      'You have been signed out: another device or an administrator has ended this sign-in, or your password has changed. What you were writing has been kept.',
    alreadySetUp: 'Engawa has been set up already. Please sign in.',
    invitationAgain: 'The page was reloaded. To join, open the link of your invitation again.',
    passwordAgain: 'The page was reloaded. To set your password, open the link for it again.',
  },

  forgotten: {
    heading: 'Reset your password',
    advice: 'A link to reset your password is sent to the email address of your account.',
    submit: 'Send the link',
    busy: 'Sending…',
    sentHeading: 'Check your email',
    sent: (email) =>
      `If ${email} is the address of a member, a link to reset the password is on its way. It is valid for 24 hours. If nothing arrives, check your spam folder, too.`,
    noMailHeading: 'Forgotten your password?',
    noMail:
      'Ask an administrator of your organisation to reset your password. They give you a link with which you set a new one.',
    noMailAdministrator:
      'If no administrator can get in either, whoever runs the server can reset it with engawa user reset-password.',
    back: 'Back to sign-in',
  },

  setUp: {
    heading: 'Set up Engawa',
    advice: 'This creates your organisation, and your account as its owner.',
    codeAdvice: 'It is shown in the server’s log, where the server was started. Each start makes a new one.',
    nameAdvice: 'This is how other members see you.',
    submit: 'Create the organisation',
    busy: 'Creating…',
  },

  invitation: {
    heading: (organisation) => `Join ${organisation}`,
    invitedBy: (name) => `${name} has invited you.`,
    readingAdvice: 'Used for finding and sorting names.',
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
        'It has been used, has expired, or was withdrawn. Ask whoever invited you for a new one. If you have joined already, sign in.',
      password: 'It has been used or has expired. Request a new one with “Forgotten your password?”, or ask your administrator.',
    },
    notValidNoMail: 'It has been used, or has expired. Ask an administrator for a new link.',
    cutOff: 'If you copied it from an email, also check that no part of it is missing.',
  },

  signedIn: {
    heading: 'You are already signed in',
    question: (name) => `You are signed in as ${name} in this browser. If you continue, ${name} is signed out of it.`,
    goOn: 'Continue',
    stay: (name) => `Stay signed in as ${name}`,
  },
};
