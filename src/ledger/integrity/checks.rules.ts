/** The kind of the task that compares the ledger with itself. */
export const CHECK_LEDGER = 'ledger.check'
