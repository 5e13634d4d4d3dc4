/** A bank's text, folded, of a transaction on an account. */
export interface TextOnAccount {
  accountId: string
  key: string
}

/** The payee that it means to the owner of the account, if any. */
export interface Meaning extends TextOnAccount {
  payeeId: string | null
}
