import type { AppError } from '../../domain/errors.ts'
import { foldKey } from '../../domain/text.ts'
import { authErrors } from './auth.errors.ts'

export const LEAST_LENGTH = 15
/** Of a user whose second factor is on. */
export const LEAST_LENGTH_WITH_MFA = 8
export const MOST_LENGTH = 128
const SERVICE_NAME = 'coffer'

/** What no password may be a run of: keyboard rows, the alphabet, the digits; each also backwards. */
const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
]

/** Long passwords that lists of leaked ones are full of, without spaces and signs. */
const COMMON = new Set([
  'correcthorsebatterystaple',
  'iloveyouiloveyou',
  'letmeinletmein',
  'maythe4thbewithyou',
  'onceuponatimethere',
  'passwordpassword',
  'qwertyuiop123456',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6y7u8i',
  '1qaz2wsx3edc4rfv',
  '123456789qwertyuiop',
  'thequickbrownfox',
  'thequickbrownfoxjumpsoverthelazydog',
  'administrator123',
  'changemechangeme',
  'welcometomyworld',
])

const lengthOf = (password: string) => [...password.normalize('NFKC')].length

/** Whether a password is good enough only while a second factor is on. */
export const needsMfa = (password: string): boolean => lengthOf(password) < LEAST_LENGTH

/**
 * Why a password may not be chosen; undefined when it may. By NIST SP 800-63B: length and a list of the
 * guessable, no rules of composition.
 * @param field the request field that holds it
 * @param demo the password of the demo data, allowed in development builds only
 */
export function whyRefused(
  password: string,
  person: { email: string; name: string; mfaEnabled: boolean },
  { field, demo }: { field: string; demo: string | undefined },
): AppError | undefined {
  const length = lengthOf(password)
  if (length < (person.mfaEnabled ? LEAST_LENGTH_WITH_MFA : LEAST_LENGTH)) {
    const { passwordTooShort, passwordTooShortWithMfa } = authErrors
    return (person.mfaEnabled ? passwordTooShortWithMfa : passwordTooShort)({ field })
  }
  if (length > MOST_LENGTH) {
    return authErrors.passwordTooLong({ field })
  }
  const key = foldKey(password)
  const local = person.email.split('@')[0] ?? ''
  const personal = [person.email, local, person.name].map(foldKey)
  if (personal.some((part) => part !== '' && (key === part || isRepetitionOf(key, part)))) {
    return authErrors.passwordIsPersonal({ field })
  }
  return password !== demo && isGuessable(key) ? authErrors.passwordTooCommon({ field }) : undefined
}

function isGuessable(key: string): boolean {
  const bare = key.replaceAll(/[^\p{L}\p{N}]/gu, '')
  return (
    COMMON.has(bare) ||
    isRepetitive(key) ||
    isRepetitive(bare) ||
    isRepetitionOf(bare, SERVICE_NAME) ||
    SEQUENCES.some((row) => isRunOf(bare, row))
  )
}

/** One short unit over and over, at least three times, or one word twice. */
function isRepetitive(key: string): boolean {
  for (let unit = 1; unit <= key.length / 2; unit++) {
    if (isRepetitionOf(key, key.slice(0, unit))) {
      return true
    }
  }
  return false
}

const isRepetitionOf = (key: string, unit: string) =>
  key !== '' && unit.repeat(Math.ceil(key.length / unit.length)).startsWith(key)

function isRunOf(key: string, row: string): boolean {
  const endless = row.repeat(2)
  const backwards = [...endless].toReversed().join('')
  return key !== '' && (endless.includes(key) || backwards.includes(key))
}
