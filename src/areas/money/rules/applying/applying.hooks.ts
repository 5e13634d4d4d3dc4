import type { SignedIn } from '../../../../platform/context.ts'
import {
  areRulesOutdated,
  type Draft,
  type LedgerHook,
  noteReadRules,
  preparation,
  type TransferAccount,
} from '../../../../ledger/ledger.public.ts'
import { accountBookedOn } from '../../accounts/accounts.public.ts'
import { roomBeside, ruledDraft } from './drafts.rules.ts'
import {
  accountFrom,
  latestSet,
  rememberedSet,
  type RuleSetRow,
  ruleSetsFor,
  setOfRow,
} from './sets.queries.ts'
import type { RuleSet } from './sets.rules.ts'

/**
 * Fills in what the owner's rules say of what is recorded, and then the usual category of its payee. The number of an account tells
 * if the set that is kept is the present one. So a booking reads rules only where they changed, and another account only where a rule
 * would make a transfer with it.
 */
export const ruledTransactions: LedgerHook = {
  prepare: (ctx, all) => {
    const drafts = all.filter(({ applyRules }) => applyRules !== false)
    const asked = new Set<string>()
    const lacking = new Set<string>()
    const owners = new Set(drafts.map((draft) => ownerOf(ctx, draft)))
    const known = () => [...owners].flatMap((ownerId) => latestSet(ownerId) ?? [])
    const setsOn = (accountIds: Set<string>) => {
      if (accountIds.size === 0) {
        return undefined
      }
      const ids = [...accountIds]
      for (const id of ids) {
        asked.add(id)
      }
      return () => ruleSetsFor(ctx, ids, known())
    }
    const isReadFirst = (draft: Draft) =>
      draft.source === 'import' || areRulesOutdated(ownerOf(ctx, draft))
    return preparation<RuleSetRow>({
      needs: setsOn(
        new Set(drafts.flatMap((draft) => (isReadFirst(draft) && draft.accountId) || [])),
      ),
      missing: () => setsOn(lacking),
      decide: (rows) => {
        lacking.clear()
        const read = rows.flatMap((row) => (row.what === 'set' ? [setOfRow(row, known())] : []))
        const setsRead = new Map(read.map((one) => [one.ownerId, one]))
        const accounts = new Map(rows.flatMap(accountIn).map((one) => [one.id, one]))
        const [rulesOf, room] = [rulesAt(ctx.now), roomBeside(all)]
        return (draft, sent) => {
          const { accountId, ownerId, ruleSet = 0 } = draft
          if (draft.applyRules === false) {
            return {}
          }
          owners.add(ownerId)
          const isRead = asked.has(accountId)
          const set = isRead ? setsRead.get(ownerId) : rememberedSet({ ownerId, ruleSet })
          if (isRead) {
            noteReadRules(ownerId)
          } else if (set === undefined) {
            lacking.add(accountId)
          }
          const lacksAccount = () => !isRead && lacking.add(accountId)
          return set
            ? ruledDraft(draft, sent, { set, rules: rulesOf(set), accounts, lacksAccount, room })
            : {}
        }
      },
    })
  },
}

/** The rules of sets at a moment, looked up once for each. */
function rulesAt(now: number) {
  const found = new Map<RuleSet, ReturnType<RuleSet['rulesAt']>>()
  return (set: RuleSet) => {
    const rules = found.get(set) ?? set.rulesAt(now)
    found.set(set, rules)
    return rules
  }
}

const ownerOf = (ctx: SignedIn, { accountId }: Draft): string =>
  (accountId === undefined ? undefined : accountBookedOn(ctx, accountId)?.ownerId) ??
  ctx.caller.userId

const accountIn = (row: RuleSetRow): TransferAccount[] =>
  row.what === 'account' ? [accountFrom(row)] : []
