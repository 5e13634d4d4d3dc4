/** A bank's text, folded, of a transaction on an account. */
export interface TextOnAccount {
  accountId: string
  key: string
}

/** The same where the draft may name the account, by the key of its name. */
export type DraftText = TextOnAccount | { accountKey: string; key: string }

export const isOnNamed = (text: DraftText): boolean => 'accountKey' in text

/** The payee that it means to the owner of the account, if any. */
export interface Meaning extends TextOnAccount {
  payeeId: string | null
}
