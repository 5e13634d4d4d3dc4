import { type SQL, sql } from 'drizzle-orm'
import { addressKey } from '../../../domain/email.ts'
import type { AppError } from '../../../domain/errors.ts'

// The owners of e-mail addresses: no other code reads or writes the keys of addresses.

/** An address, and the key under which it is unique. */
export interface Address {
  email: string
  emailKey: string
}

/** The columns that claim an address for a user, or say to which one something is addressed. */
export const addressColumns = (email: string): Address => ({
  email,
  emailKey: addressKey(email),
})

/** `addressColumns` of what is addressed to nobody, or to nobody any more. */
export const noAddress = { email: null, emailKey: null }

/** A row without the address that it is for, as the log may have it. */
export const withoutAddress = <Row extends { email: unknown; emailKey: unknown }>({
  email: _,
  emailKey: _key,
  ...row
}: Row): Omit<Row, 'email' | 'emailKey'> => row

/** Frees the address of a user who is erased: one that reaches nobody (RFC 2606), and a key that no address has. */
export const freedAddress = (userId: string): Address => ({
  email: `${userId}@erased.invalid`,
  emailKey: userId,
})

/** Returns the error for a claim of an address that somebody else has. */
export const whenAddressTaken = (error: () => AppError): Record<string, () => AppError> => ({
  'users.email_key': error,
})

/** True if a user, by the alias of its table, has the address. */
export const hasAddress = (user: 'u' | 'users', email: string): SQL =>
  sql`${sql.raw(user)}.email_key = ${addressKey(email)}`

/** True if the address of a user, by the alias of its table, contains the text. */
export const addressHolds = (user: 'u' | 'users', text: string): SQL =>
  sql`instr(${sql.raw(user)}.email_key, ${addressKey(text)}) > 0`

type Addressed = 'group_invites' | 'shares' | 's' | 'sign_in_codes' | 'c'

/** True if a row, by the alias of its table, is addressed to a user `u`. */
export const isAddressedTo = (row: Addressed): SQL => sql`${sql.raw(row)}.email_key = u.email_key`

/** True if a row is addressed to the user with the id. */
export const isAddressedToUser = (row: Addressed, userId: string): SQL =>
  sql`${sql.raw(row)}.email_key = (SELECT u.email_key FROM users u WHERE u.id = ${userId})`

/** True if a row is addressed to the user with the id, and the user has confirmed the address. */
export const isAddressedToConfirmed = (row: Addressed, userId: string): SQL =>
  sql`${sql.raw(row)}.email_key = (SELECT own.email_key FROM users own
    WHERE own.id = ${userId} AND own.email_verified_at IS NOT NULL)`
