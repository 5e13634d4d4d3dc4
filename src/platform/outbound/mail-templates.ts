// The mails of the service: plain text in English. They contain nothing that a user typed in, such as a name: a mail can
// go to a stranger's address, and would carry the sender's words there.

/** The subject and text of a mail, without its receiver. */
export interface Letter {
  subject: string
  text: string
}

const TAKE_BACK =
  'If it was not you, set a new password at once: request a reset code on the sign-in page.'

const ONCE = 'The code works once. Do not pass it on: anyone who has it can take over the account.'

const ANOTHER = 'If the code has expired, request another one on the sign-in page.'

/** A mail about a share. One that was stored before anything but accounts could be shared names no kind. */
interface OfShare {
  at: number
  kind?: 'account' | 'budget' | 'attachment'
}

const nounOf = (kind: OfShare['kind'] = 'account') => (kind === 'attachment' ? 'file' : kind)

const oneOf = (kind: OfShare['kind'] = 'account', article = 'a') =>
  `${kind === 'account' ? `${article}n` : article} ${nounOf(kind)}`

const templates = {
  passwordReset: ({ token, minutes }: { token: string; minutes: number }): Letter => ({
    subject: 'Set a new password for Coffer',
    text: lines(
      'Somebody, hopefully you, requested a new password for your Coffer account.',
      `To set one, enter this code within ${minutes} minutes:`,
      `    ${token}`,
      ONCE,
      'If it was not you, ignore this mail. Your password does not change.',
    ),
  }),

  emailVerification: ({ token, hours }: { token: string; hours: number }): Letter => ({
    subject: 'Confirm your e-mail address for Coffer',
    text: lines(
      'Somebody, hopefully you, entered this address for a Coffer account.',
      `To confirm that it is yours, enter this code within ${hours} hours:`,
      `    ${token}`,
      'If you have no Coffer account, ignore this mail. The address stays unconfirmed.',
    ),
  }),

  registrationTried: ({ at }: { at: number }): Letter => ({
    subject: 'Somebody tried to register your address at Coffer',
    text: lines(
      `Somebody tried to create a Coffer account with this address on ${minuteOf(at)} (UTC), but there is one already.`,
      'If it was you, sign in, or request a new password on the sign-in page.',
      'If it was not you, you need not do anything: your account has not changed. That person now knows that this address has an account.',
    ),
  }),

  userCreated: ({ token, days }: { token: string; days: number }): Letter => ({
    subject: 'Your Coffer account',
    text: lines(
      'An administrator has created a Coffer account for this address.',
      `To choose a password, enter this code within ${days} days:`,
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
      'If you asked for this, sign in and set up a new one.',
      'If you did not, set a new password at once, and ask the administrator for the reason.',
    ),
  }),

  emailChange: ({ token, hours }: { token: string; hours: number }): Letter => ({
    subject: 'Confirm your new e-mail address for Coffer',
    text: lines(
      'Somebody, hopefully you, entered this address as the new address of a Coffer account.',
      `To sign in with it from now on, enter this code within ${hours} hours:`,
      `    ${token}`,
      'The code works once. If you did not request it, ignore this mail. The account keeps its address.',
    ),
  }),

  emailChangeRequested: notice(
    'A new e-mail address for your Coffer account was requested',
    'Somebody who knows your password requested another e-mail address for your Coffer account',
    `${TAKE_BACK} This also stops the change of address.`,
  ),

  addressMoved: notice(
    'The e-mail address of your Coffer account was changed',
    'An administrator replaced this e-mail address of your Coffer account with another one',
    'If you did not agree to this, contact an administrator at once.',
  ),

  accountShared: ({ at, kind }: OfShare): Letter =>
    notice(
      `An administrator shared one of your ${nounOf(kind)}s on Coffer`,
      `An administrator shared one of your ${nounOf(kind)}s on Coffer with somebody`,
      'If you did not agree to this, sign in, end the share, and ask the administrator for the reason.',
    )({ at }),

  shareReceived: ({ at, kind }: OfShare): Letter => ({
    subject: `${oneOf(kind, 'A')} was shared with you on Coffer`,
    text: lines(
      `Somebody shared ${oneOf(kind)} with you on Coffer on ${minuteOf(at)} (UTC).`,
      `Sign in to see who it was and what you can do with the ${nounOf(kind)}. If the share still needs your consent, you can accept or decline it there.`,
      'If you did not expect this share, decline it.',
    ),
  }),

  shareAccepted: ({ at, kind }: OfShare): Letter => ({
    subject: `Your share of ${oneOf(kind)} on Coffer was accepted`,
    text: lines(
      `Somebody accepted your share of ${oneOf(kind)} on Coffer on ${minuteOf(at)} (UTC), and can see the ${nounOf(kind)} from now on.`,
      'Sign in to see who it was. You can change or end the share there at any time.',
    ),
  }),

  shareEnded: ({ at, kind }: OfShare): Letter => ({
    subject: `${oneOf(kind, 'A')} is no longer shared with you on Coffer`,
    text: lines(
      `A share of ${oneOf(kind)} with you on Coffer ended on ${minuteOf(at)} (UTC).`,
      'Sign in to see what is still shared with you.',
    ),
  }),

  shareReturned: ({ at, kind }: OfShare): Letter => ({
    subject: `A share of your ${nounOf(kind)} on Coffer has ended`,
    text: lines(
      `Somebody with whom you shared ${oneOf(kind)} on Coffer ended the share on ${minuteOf(at)} (UTC).`,
      `Sign in to see with whom you still share your ${nounOf(kind)}s.`,
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
    'A personal access token, which lets a program use your Coffer account, was created',
    'If it was not you, sign in, revoke the token, sign out everywhere, and set a new password.',
  ),

  identityLinked: notice(
    'A new way to sign in to your Coffer account',
    'An identity provider that can sign you in was linked to your Coffer account',
    'If it was not you, sign in, unlink the provider, and set a new password.',
  ),

  groupInvite: ({ code, days }: { code: string; days: number }): Letter => ({
    subject: 'You are invited to a group on Coffer',
    text: lines(
      'Somebody has invited you to share accounts in a group on Coffer.',
      `Sign in to see who it was. To join, enter this code there within ${days} ${days === 1 ? 'day' : 'days'}:`,
      `    ${code}`,
      'The code works once. If you did not expect this invitation, ignore this mail.',
    ),
  }),

  deletionScheduled: ({ dueAt }: { dueAt: number }): Letter => ({
    subject: 'Your Coffer account will be deleted',
    text: lines(
      `Your Coffer account and all its data will be erased on ${minuteOf(dueAt)} (UTC).`,
      'Until then it works as before. To keep it, sign in and undo the deletion.',
      `If you requested this, you need not do anything. ${TAKE_BACK}`,
    ),
  }),

  wipeScheduled: ({ dueAt }: { dueAt: number }): Letter => ({
    subject: 'Data of your Coffer account will be erased',
    text: lines(
      `The selected data of your Coffer account will be erased on ${minuteOf(dueAt)} (UTC).`,
      'To keep the data, sign in before then and undo the wipe.',
      `If you requested this, you need not do anything. ${TAKE_BACK}`,
    ),
  }),

  webhookDisabled: ({ at }: { at: number }): Letter => ({
    subject: 'A webhook of your Coffer account was disabled',
    text: lines(
      `Coffer disabled one of your webhooks on ${minuteOf(at)} (UTC): its receiver asked for that, or has answered nothing but errors for four days.`,
      'Correct the receiver, then activate the webhook again. What was not delivered is sent then, unless it is older than 30 days.',
    ),
  }),

  newNotifications: (_: Record<never, never>): Letter => ({
    subject: 'You have new notifications on Coffer',
    text: lines(
      'There are new notifications in your Coffer account.',
      'Sign in to see them. Your preferences say of what you are told by mail.',
    ),
  }),

  identityUnlinked: notice(
    'A way to sign in to your Coffer account was removed',
    'An identity provider was unlinked from your Coffer account',
    TAKE_BACK,
  ),
}

/** A notice to the owner of an account, in case somebody else acted in their name. */
function notice(subject: string, happened: string, remedy: string) {
  return ({ at }: { at: number }): Letter => ({
    subject,
    text: lines(
      `${happened} on ${minuteOf(at)} (UTC).`,
      'If it was you, you need not do anything.',
      remedy,
    ),
  })
}

type Templates = typeof templates
export type Template = keyof Templates

/** A mail to send: its receiver, its template and the template's values. */
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
