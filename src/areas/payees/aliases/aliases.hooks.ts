import { foldKey } from '../../../domain/text.ts'
import { type Draft, type LedgerHook, preparation } from '../../../ledger/ledger.public.ts'
import { resolutionsOf } from './aliases.queries.ts'

/** Where nobody says whom a transaction was with, it was with the payee that the bank's text means. */
export const meantPayees: LedgerHook = {
  prepare: (_, drafts) => {
    const asked = drafts.flatMap((draft) => keyOf(draft) ?? [])
    return preparation(resolutionsOf(asked), (meant) => {
      const payees = new Map(meant.map(({ payeeId, ...key }) => [nameOf(key), payeeId]))
      return (draft) => {
        const key = keyOf(draft)
        const payeeId = key && payees.get(nameOf(key))
        return payeeId === undefined ? {} : { payeeId }
      }
    })
  },
}

interface Key {
  accountId: string
  key: string
}

const keyOf = ({ accountId, payeeId, payeeRaw }: Draft): Key | undefined =>
  payeeId === undefined && payeeRaw ? { accountId, key: foldKey(payeeRaw) } : undefined

const nameOf = ({ accountId, key }: Key) => `${accountId} ${key}`
