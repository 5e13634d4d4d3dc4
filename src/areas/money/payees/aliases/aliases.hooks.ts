import { foldKey } from '../../../../domain/text.ts'
import { type Draft, type LedgerHook, preparation } from '../../../../ledger/ledger.public.ts'
import { meaningsOf, mustMean, rememberMeanings, resolutionsOf } from './aliases.queries.ts'
import type { DraftText, TextOnAccount } from './aliases.rules.ts'

/** Gives a transaction without a payee the one that its bank text stands for. */
export const meantPayees: LedgerHook = {
  prepare: (ctx, drafts) => {
    const asked = drafts.flatMap(textsOf)
    const known = meaningsOf(ctx, asked)
    return preparation({
      needs: resolutionsOf(ctx, asked),
      remembered: known && { rows: known, premises: known.map(mustMean) },
      remember: (rows) => rememberMeanings(ctx, asked, rows),
      decide: (meant) => {
        const payees = new Map(meant.map(({ payeeId, ...text }) => [nameOf(text), payeeId]))
        return (draft) => {
          const key = keyOf(draft)
          const payeeId = key && payees.get(nameOf({ accountId: draft.accountId, key }))
          return payeeId ? { payeeId } : {}
        }
      },
    })
  },
}

const keyOf = ({ payeeId, payeeName, payeeRaw }: Draft): string | undefined =>
  payeeId === undefined && payeeName === undefined && payeeRaw ? foldKey(payeeRaw) : undefined

function textsOf(draft: Draft): DraftText[] {
  const { accountId, accountName = '' } = draft
  const key = keyOf(draft)
  if (key === undefined) {
    return []
  }
  return [accountId === undefined ? { accountKey: foldKey(accountName), key } : { accountId, key }]
}

const nameOf = ({ accountId, key }: TextOnAccount) => `${accountId} ${key}`
