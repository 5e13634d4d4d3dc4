import { transactionChecks } from '../../../src/ledger/integrity/checks.queries.ts'
import {
  compareLedger,
  differencesOf as differencesOfAccounts,
} from '../../../src/ledger/integrity/checks.usecases.ts'
import { read } from '../../../src/platform/database/database.ts'
import { contextWith } from '../../support/service.ts'
import { rows } from '../../support/api.ts'

/** What the reconciliation finds about these accounts or transactions, in words. */
export async function findings(ids: string[]): Promise<string[]> {
  const told: string[] = []
  for await (const { found } of compareLedger(contextWith())) {
    told.push(...Object.values(found).flat())
  }
  return about(told, ids)
}

const about = (told: string[], ids: string[]) =>
  told.filter((finding) => ids.some((id) => finding.includes(id)))

/** All transactions that the user owns, or that have a line which the user owns, or which names an account of the user. */
const TRANSACTIONS = `SELECT id FROM transactions WHERE owner_id = ?1
  UNION SELECT transaction_id FROM entries WHERE owner_id = ?1
    OR account_id IN (SELECT id FROM accounts WHERE owner_id = ?1)
    OR counter_account_id IN (SELECT id FROM accounts WHERE owner_id = ?1)
  UNION SELECT transaction_id FROM unbooked_entries WHERE owner_id = ?1
    OR account_id IN (SELECT id FROM accounts WHERE owner_id = ?1)`

/**
 * What the reconciliation finds about all that this user owns: nothing, or something is very wrong. It is asked about that
 * alone: going through what all tests of a file have stored would take longer with each of them.
 */
export async function differencesOf({ id }: { id: string }): Promise<string[]> {
  const idsIn = async (query: string) =>
    (await rows<{ id: string }>(query, id)).map((row) => row.id)
  const accounts = await idsIn('SELECT id FROM accounts WHERE owner_id = ?1')
  const ids = await idsIn(TRANSACTIONS)
  const ctx = contextWith()
  const found = [
    ...Object.values(await differencesOfAccounts(ctx, accounts)),
    ...(await read(ctx, ...Object.values(transactionChecks).map((check) => check({ ids })))),
  ]
  const told = found.flat().map(({ finding }) => finding)
  return about(told, [...accounts, ...ids])
}
