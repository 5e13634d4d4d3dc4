import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import {
  type Draft,
  type LedgerHook,
  noteReadRules,
  preparation,
  type TransferAccount,
} from '../../../../ledger/ledger.public.ts'
import { accountBookedOn } from '../../accounts/accounts.public.ts'
import { ruledDraft } from './drafts.rules.ts'
import {
  accountFrom,
  latestSet,
  rememberedSet,
  type RuleSetRow,
  ruleSetsFor,
  setOfRow,
} from './sets.queries.ts'
import type { RuleSet } from './sets.rules.ts'

/** Fills in what the owner's rules say of what is recorded, and then the usual category of its payee. */
export const ruledTransactions: LedgerHook = {
  prepare: (ctx, all) => {
    const drafts = all.filter(({ applyRules }) => applyRules !== false)
    const known = setsOfRemembered(ctx, drafts)
    const older = [...new Set([ctx.caller.userId, ...ownersOf(ctx, drafts)])].flatMap(
      (ownerId) => latestSet(ownerId) ?? [],
    )
    return preparation<RuleSetRow>({
      needs: drafts.length === 0 ? undefined : () => ruleSetsFor(ctx, accountsOf(drafts), older),
      remembered: known && { rows: [], premises: [] },
      decide: (rows) => {
        const found = rows.length === 0 ? (known ?? []) : setsIn(rows, older)
        const accounts = new Map(rows.flatMap(accountIn).map((one) => [one.id, one]))
        const rulesByOwner = new Map(
          found.map((set) => [set.ownerId, { set, rules: set.rulesAt(ctx.now), accounts }]),
        )
        return (draft, sent) => {
          const own = rulesByOwner.get(draft.ownerId)
          noteReadRules(draft.ownerId)
          return own && draft.applyRules !== false ? ruledDraft(draft, sent, own) : {}
        }
      },
    })
  },
}

/**
 * The sets of accounts that the caller booked on before; undefined where one is not known. The guard asserts that they are the
 * present ones. Rules that make transfers need the other account as it is.
 */
function setsOfRemembered(ctx: SignedIn, drafts: Draft[]): RuleSet[] | undefined {
  const sets: RuleSet[] = []
  for (const { accountId, accountName } of drafts) {
    const account = accountId === undefined ? undefined : accountBookedOn(ctx, accountId)
    if (!account || accountName !== undefined) {
      return undefined
    }
    const set = rememberedSet(account)
    if (set === undefined || (set && set.transferIds.length > 0)) {
      return undefined
    }
    sets.push(...(set ? [set] : []))
  }
  return sets
}

const ownersOf = (ctx: SignedIn, drafts: Draft[]): string[] =>
  drafts.flatMap(({ accountId }) =>
    accountId === undefined ? [] : (accountBookedOn(ctx, accountId)?.ownerId ?? []),
  )

const accountsOf = (drafts: Draft[]) => ({
  ids: [...new Set(drafts.flatMap(({ accountId }) => accountId ?? []))],
  keys: [
    ...new Set(
      drafts.flatMap(({ accountId, accountName }) =>
        accountId === undefined && accountName !== undefined ? foldKey(accountName) : [],
      ),
    ),
  ],
})

const setsIn = (rows: RuleSetRow[], known: RuleSet[]): RuleSet[] =>
  rows.flatMap((row) => (row.what === 'set' ? [setOfRow(row, known)] : []))

const accountIn = (row: RuleSetRow): TransferAccount[] =>
  row.what === 'account' ? [accountFrom(row)] : []
