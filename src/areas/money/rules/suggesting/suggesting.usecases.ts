import { addDays, dateInZone } from '../../../../domain/calendar.ts'
import { SUGGESTION_BOUNDS } from '../../../../domain/rules/suggest.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { readsNames } from '../../../../ledger/search/search.public.ts'
import { factsOfRules } from '../applying/sets.queries.ts'
import { compiledRule, factsFrom } from '../applying/sets.rules.ts'
import { allRules } from '../rules.queries.ts'
import { isWorking, withDefinition } from '../rules.rules.ts'
import { categorisedRows } from './suggesting.queries.ts'
import { type RuleSuggestion, suggestionsFrom } from './suggesting.rules.ts'

/** Suggests what the categories of past transactions say, from those on the caller's own accounts. */
export async function suggestRules(ctx: SignedIn): Promise<RuleSuggestion[]> {
  const last = dateInZone(ctx.now, 'UTC')
  const [rows, stored, facts] = await read(
    ctx,
    categorisedRows(ctx, { from: addDays(last, -SUGGESTION_BOUNDS.days), to: last }),
    allRules(ctx),
    factsOfRules(ctx),
  )
  const today = dateInZone(ctx.now, profileOf(ctx).timeZone)
  // A token for some accounts cannot add rules, which work on all; and a rule says texts of transactions.
  const cannotAdd =
    Boolean(ctx.caller.token?.accountIds) ||
    !profileOf(ctx).permissions.includes('transactions.read')
  const [hasCategories, hasPayees] = [readsNames(ctx, 'category'), readsNames(ctx, 'payee')]
  return suggestionsFrom(
    rows.map((row) => ({
      ...row,
      categoryName: hasCategories ? row.categoryName : null,
      payeeName: hasPayees ? row.payeeName : null,
    })),
    cannotAdd
      ? undefined
      : {
          stored,
          rules: stored
            .filter((rule) => rule.active && isWorking(rule))
            .map((rule) => compiledRule(withDefinition(rule), today)),
          facts: factsFrom(facts[0]),
          today,
        },
  )
}
