// What the service says by mail: plain text, English. Nothing that somebody typed in, such as a name, is in
// it: a mail can go to an address that is not its sender's, and would carry their words there.

/** What a mail says, without where it goes. */
export interface Letter {
  subject: string
  text: string
}

const TAKE_BACK =
  'If it was not, set a new password at once: ask for a reset code on the sign-in page.'

const templates = {
  passwordReset: ({ token, minutes }: { token: string; minutes: number }): Letter => ({
    subject: 'Set a new password for Coffer',
    text: lines(
      'Somebody, hopefully you, asked for a new password for your Coffer account.',
      `To set one, enter this code within ${minutes} minutes:`,
      `    ${token}`,
      'It works once. Whoever has it can take over the account: do not pass it on.',
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

  identityLinked: notice(
    'A new way to sign in to your Coffer account',
    'An identity provider that can sign you in was linked to your Coffer account',
    'If it was not, sign in and unlink it, and set a new password.',
  ),

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
