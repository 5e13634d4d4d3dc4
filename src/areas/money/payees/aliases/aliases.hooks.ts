import { foldKey } from '../../../../domain/text.ts'
import { type Draft, type LedgerHook, preparation } from '../../../../ledger/ledger.public.ts'
import { meaningsOf, mustMean, rememberMeanings, resolutionsOf } from './aliases.queries.ts'
import type { TextOnAccount } from './aliases.rules.ts'

/** Where nobody says whom a transaction was with, it was with the payee that the bank's text means. */
export const meantPayees: LedgerHook = {
  prepare: (ctx, drafts) => {
    const asked = drafts.flatMap((draft) => textOf(draft) ?? [])
    const known = meaningsOf(ctx, asked)
    return preparation({
      needs: resolutionsOf(asked),
      remembered: known && { rows: known, premises: known.map(mustMean) },
      remember: (rows) => rememberMeanings(ctx, asked, rows),
      decide: (meant) => {
        const payees = new Map(meant.map(({ payeeId, ...text }) => [nameOf(text), payeeId]))
        return (draft) => {
          const text = textOf(draft)
          const payeeId = text && payees.get(nameOf(text))
          return payeeId ? { payeeId } : {}
        }
      },
    })
  },
}

const textOf = ({ accountId, payeeId, payeeRaw }: Draft): TextOnAccount | undefined =>
  payeeId === undefined && payeeRaw ? { accountId, key: foldKey(payeeRaw) } : undefined

const nameOf = ({ accountId, key }: TextOnAccount) => `${accountId} ${key}`
