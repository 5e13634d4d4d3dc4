import { dateInZone } from '../../../../domain/calendar.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database.ts'
import {
  type AccountView,
  converterInto,
  rollUp,
  type RollUp,
  visibleAccounts,
} from '../../../money/accounts/accounts.public.ts'
import { ratesAsOf, storedRates } from '../../../money/exchange-rates/exchange-rates.public.ts'
import { membershipIn } from '../../../identity/memberships/memberships.public.ts'
import { groupById } from '../groups.queries.ts'
import { requireIn } from '../groups.rules.ts'
import { baseOf, currenciesShared, sharedIds } from './summary.queries.ts'

const among = (found: AccountView[], shared: { id: string }[]): AccountView[] =>
  found.filter(({ account }) => shared.some(({ id }) => id === account.id))

/** What is shared with a group, as the caller sees it. */
export async function listGroupAccounts(ctx: SignedIn, groupId: string): Promise<AccountView[]> {
  const [[own], found, shared] = await read(
    ctx,
    membershipIn(ctx, groupId),
    visibleAccounts(ctx),
    sharedIds(ctx, groupId),
  )
  requireIn(own)
  return among(found, shared)
}

/** The totals of that, rolled up by the caller's rates as the home page does it. */
export async function getGroupSummary(
  ctx: SignedIn,
  groupId: string,
  wanted: string | undefined,
): Promise<RollUp> {
  const today = dateInZone(ctx.now, 'UTC')
  const [[found], views, shared, packed] = await read(
    ctx,
    groupById(ctx, groupId),
    visibleAccounts(ctx),
    sharedIds(ctx, groupId),
    ratesAsOf(ctx, today, currenciesShared(ctx, groupId), wanted ?? baseOf(groupId)),
  )
  const currency = wanted ?? requireIn(found).baseCurrency
  requireIn(found)
  const convert = converterInto(currency, storedRates(packed), profileOf(ctx).baseCurrency)
  return rollUp(among(views, shared), currency, convert)
}
