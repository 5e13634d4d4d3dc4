import {
  type LedgerHook,
  namedLabels,
  type Draft,
  preparation,
} from '../../../ledger/ledger.public.ts'
import { foldKey } from '../../../domain/text.ts'
import { ambiguousPayeeName, payeeErrors } from './payees.errors.ts'
import {
  meaningsOf,
  mustMean,
  rememberMeanings,
  resolutionsOf,
  type NamedPayee,
  payeeNamed,
  payeesNamed,
} from './aliases.queries.ts'
import type { DraftText, TextOnAccount } from './payees.rules.ts'

/** A transaction may name its payee instead of sending an id. */
export const namedPayees: LedgerHook = namedLabels<NamedPayee>({
  what: 'payee',
  candidates: payeesNamed,
  groupOf: ({ ownerId, key }) => `${ownerId} ${key}`,
  groupsIn: ({ ownerId }, { key }) => [`${ownerId} ${key}`],
  permission: 'payees.write',
  create: (ctx, _, place) => payeeNamed(ctx, place),
  errors: {
    unknown: payeeErrors.unknownName,
    archived: payeeErrors.archivedPayee,
    ambiguous: ambiguousPayeeName,
    ownerCreates: payeeErrors.ownerCreates,
  },
})

/** Gives a transaction without a payee the one that its bank text stands for. */
export const meantPayees: LedgerHook = {
  prepare: (ctx, drafts) => {
    const asked = drafts.flatMap(textsOf)
    const known = meaningsOf(ctx, asked)
    return preparation({
      needs: () => resolutionsOf(ctx, asked),
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
