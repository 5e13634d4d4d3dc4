import { compareLedger } from '../../../src/ledger/integrity/checks.usecases.ts'
import { contextWith } from '../../support/service.ts'
import { rows } from '../../support/api.ts'

/** What the reconciliation finds about these accounts or transactions, in words. */
export async function findings(ids: string[]): Promise<string[]> {
  const told: string[] = []
  for await (const { found } of compareLedger(contextWith())) {
    told.push(...Object.values(found).flat())
  }
  return told.filter((finding) => ids.some((id) => finding.includes(id)))
}

/** What the reconciliation finds about all that this user owns: nothing, or something is very wrong. */
export async function differencesOf(user: { id: string }): Promise<string[]> {
  const ids = await rows<{ id: string }>(
    'SELECT id FROM accounts WHERE owner_id = ?1 UNION ALL SELECT id FROM transactions WHERE owner_id = ?1',
    user.id,
  )
  return findings(ids.map(({ id }) => id))
}
