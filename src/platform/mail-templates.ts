// What the service says by mail: plain text, English. Nothing that somebody typed in, such as a name, is in
// it: a mail can go to an address that is not its sender's, and would carry their words there.

/** What a mail says, without where it goes. */
export interface Letter {
  subject: string
  text: string
}

const TAKE_BACK =
  'If it was not, set a new password at once: ask for a reset code on the sign-in page.'

const ONCE = 'It works once. Whoever has it can take over the account: do not pass it on.'

const ANOTHER = 'If the code is too old, ask for another one on the sign-in page.'

const templates = {
  passwordReset: ({ token, minutes }: { token: string; minutes: number }): Letter => ({
    subject: 'Set a new password for Coffer',
    text: lines(
      'Somebody, hopefully you, asked for a new password for your Coffer account.',
      `To set one, enter this code within ${minutes} minutes:`,
      `    ${token}`,
      ONCE,
      'If it was not you, do nothing: your password stays as it is.',
    ),
  }),

  emailVerification: ({ token, hours }: { token: string; hours: number }): Letter => ({
    subject: 'Confirm your e-mail address for Coffer',
    text: lines(
      'This address was given for a Coffer account.',
      `To confirm that it is yours, enter this code within ${hours} hours:`,
      `    ${token}`,
      'If you have no Coffer account, do nothing: the address stays unconfirmed.',
    ),
  }),

  registrationTried: ({ at }: { at: number }): Letter => ({
    subject: 'Somebody tried to register your address at Coffer',
    text: lines(
      `Somebody tried to create a Coffer account with this address on ${minuteOf(at)} (UTC). It has one already.`,
      'If it was you, sign in, or ask for a new password on the sign-in page.',
      'If it was not, do nothing: your account is as it was. Whoever tried knows now that this address has one.',
    ),
  }),

  userCreated: ({ token, days }: { token: string; days: number }): Letter => ({
    subject: 'Your Coffer account',
    text: lines(
      'An administrator has made a Coffer account for this address.',
      `To choose its password, enter this code within ${days} days:`,
      `    ${token}`,
      ONCE,
      ANOTHER,
    ),
  }),

  passwordResetByAdministrator: ({
    token,
    minutes,
  }: {
    token: string
    minutes: number
  }): Letter => ({
    subject: 'Choose a new password for Coffer',
    text: lines(
      'An administrator has made the password of your Coffer account unusable, and signed you out.',
      `To choose another one, enter this code within ${minutes} minutes:`,
      `    ${token}`,
      ONCE,
      ANOTHER,
    ),
  }),

  mfaReset: ({ at }: { at: number }): Letter => ({
    subject: 'Your second factor for Coffer was removed',
    text: lines(
      `An administrator removed the second factor of your Coffer account on ${minuteOf(at)} (UTC), and signed you out.`,
      'If you have asked for it, all is well: sign in, and set a new one up.',
      'If you have not, set a new password at once, and ask the administrator why.',
    ),
  }),

  emailChange: ({ token, hours }: { token: string; hours: number }): Letter => ({
    subject: 'Confirm your new e-mail address for Coffer',
    text: lines(
      'This address was given as the new one of a Coffer account.',
      `To sign in with it from now on, enter this code within ${hours} hours:`,
      `    ${token}`,
      'It works once. If you did not ask for it, do nothing: the account keeps its address.',
    ),
  }),

  emailChangeRequested: notice(
    'A new e-mail address was asked for your Coffer account',
    'Somebody who knows your password asked to move your Coffer account to another e-mail address',
    `${TAKE_BACK} That stops the change as well.`,
  ),

  addressMoved: notice(
    'Your Coffer account has another e-mail address',
    'An administrator moved your Coffer account from this e-mail address to another one',
    'If you did not agree to that, ask an administrator at once.',
  ),

  accountShared: notice(
    'An administrator shared an account of yours on Coffer',
    'An administrator shared one of your accounts on Coffer with somebody',
    'If you did not agree to that, sign in, see your shares and end it, and ask the administrator why.',
  ),

  shareReceived: ({ at }: { at: number }): Letter => ({
    subject: 'An account was shared with you on Coffer',
    text: lines(
      `Somebody shared an account with you on Coffer on ${minuteOf(at)} (UTC).`,
      'Sign in to see who it was and what you can do with it. A share that waits for you can be accepted or declined there.',
      'If you do not expect it, decline it.',
    ),
  }),

  shareAccepted: ({ at }: { at: number }): Letter => ({
    subject: 'Your share of an account on Coffer was accepted',
    text: lines(
      `Somebody accepted your share of an account on Coffer on ${minuteOf(at)} (UTC), and sees it from now on.`,
      'Sign in to see who it was. You can change or end the share there at any time.',
    ),
  }),

  shareEnded: ({ at }: { at: number }): Letter => ({
    subject: 'An account is no longer shared with you on Coffer',
    text: lines(
      `A share of an account with you on Coffer ended on ${minuteOf(at)} (UTC).`,
      'Sign in to see what is still shared with you.',
    ),
  }),

  shareReturned: ({ at }: { at: number }): Letter => ({
    subject: 'A share of your account on Coffer has ended',
    text: lines(
      `Somebody with whom you shared an account on Coffer gave the share back on ${minuteOf(at)} (UTC).`,
      'Sign in to see whom you still share your accounts with.',
    ),
  }),

  passwordChanged: notice(
    'Your Coffer password was changed',
    'The password of your Coffer account was changed',
    TAKE_BACK,
  ),

  mfaEnabled: notice(
    'A second factor is on for your Coffer account',
    'An authenticator app was set up for your Coffer account',
    `${TAKE_BACK} Then ask an administrator to remove the second factor.`,
  ),

  mfaDisabled: notice(
    'The second factor is off for your Coffer account',
    'The second factor of your Coffer account was turned off',
    TAKE_BACK,
  ),

  recoveryCodesReplaced: notice(
    'Your Coffer recovery codes were replaced',
    'The recovery codes of your Coffer account were replaced',
    TAKE_BACK,
  ),

  accessTokenCreated: notice(
    'A new access token for your Coffer account',
    'A personal access token, with which a program can use your Coffer account, was created',
    'If it was not, sign in, revoke it, sign out everywhere, and set a new password.',
  ),

  identityLinked: notice(
    'A new way to sign in to your Coffer account',
    'An identity provider that can sign you in was linked to your Coffer account',
    'If it was not, sign in and unlink it, and set a new password.',
  ),

  groupInvite: ({ token, days }: { token: string; days: number }): Letter => ({
    subject: 'You are invited into a group on Coffer',
    text: lines(
      'Somebody invites you to share accounts in a group on Coffer.',
      `Who it is you see after signing in. To join, enter this code there within ${days} ${days === 1 ? 'day' : 'days'}:`,
      `    ${token}`,
      'It works once. If you do not expect it, do nothing.',
    ),
  }),

  deletionScheduled: ({ dueAt }: { dueAt: number }): Letter => ({
    subject: 'Your Coffer account will be deleted',
    text: lines(
      `Your Coffer account and all that is in it will be erased on ${minuteOf(dueAt)} (UTC).`,
      'Until then it works as before. To keep it, sign in and undo the deletion.',
      `If it was you, all is well. ${TAKE_BACK}`,
    ),
  }),

  wipeScheduled: ({ dueAt }: { dueAt: number }): Letter => ({
    subject: 'Data of your Coffer account will be erased',
    text: lines(
      `What was chosen of the data in your Coffer account will be erased on ${minuteOf(dueAt)} (UTC).`,
      'To keep it, sign in before and undo that.',
      `If it was you, all is well. ${TAKE_BACK}`,
    ),
  }),

  identityUnlinked: notice(
    'A way to sign in to your Coffer account is gone',
    'An identity provider was unlinked from your Coffer account',
    TAKE_BACK,
  ),
}

/** What the owner of an account should hear of, in case somebody else did it. */
function notice(subject: string, what: string, remedy: string) {
  return ({ at }: { at: number }): Letter => ({
    subject,
    text: lines(`${what} on ${minuteOf(at)} (UTC).`, 'If it was you, all is well.', remedy),
  })
}

type Templates = typeof templates
export type Template = keyof Templates

/** Which letter goes to whom, with what it needs to know. */
export type Mail = {
  [Name in Template]: { to: string; template: Name; values: Parameters<Templates[Name]>[0] }
}[Template]

export function letterOf({ template, values }: Mail): Letter {
  // `Mail` pairs every template with its own values, which the compiler cannot see through an index.
  const write = templates[template] as (known: typeof values) => Letter
  return write(values)
}

const lines = (...paragraphs: string[]) => `${paragraphs.join('\n\n')}\n`

/** 2026-11-21 01:45 */
const minuteOf = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
