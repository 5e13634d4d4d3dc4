import type { AppError } from '../../../domain/errors.ts'
import { type Weakness, weaknessOf } from '../../../domain/passwords/guessing.ts'
import { authErrors } from './auth.errors.ts'

export const LEAST_LENGTH = 15
/** Of a user whose second factor is on. */
export const LEAST_LENGTH_WITH_MFA = 8
export const MOST_LENGTH = 128
const SERVICE_NAME = 'coffer'

const lengthOf = (password: string) => [...password.normalize('NFKC')].length

/** Whether a password is good enough only while a second factor is on. */
export const needsMfa = (password: string): boolean => lengthOf(password) < LEAST_LENGTH

const errorOf: Record<Weakness, keyof typeof authErrors> = {
  known: 'passwordTooCommon',
  personal: 'passwordIsPersonal',
  repetition: 'passwordRepeats',
  sequence: 'passwordIsSequence',
  words: 'passwordIsCommonWords',
  digits: 'passwordIsDigits',
}

/**
 * Why a password may not be chosen; undefined when it may. By NIST SP 800-63B: length, a list of the known and
 * what can be guessed from the person and the service, no rules of composition.
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
  if (password === demo) {
    return undefined
  }
  const [local = '', domain = ''] = person.email.split('@')
  const personal = [person.email, local, domain, person.name, SERVICE_NAME]
  const weakness = weaknessOf(password, personal)
  return weakness && authErrors[errorOf[weakness]]({ field })
}
