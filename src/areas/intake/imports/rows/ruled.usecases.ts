import type { Ruling } from '../../../../domain/rules/decide.ts'
import { profileOf, type SignedIn } from '../../../../platform/context.ts'
import { read } from '../../../../platform/database/database.ts'
import { type AccountView, visibleAccounts } from '../../../money/accounts/accounts.public.ts'
import type { NamedTag } from '../../../money/tags/tags.public.ts'
import { namedTags } from '../../../money/tags/tags.public.ts'
import { makeDrafts } from '../../../money/transactions/transactions.public.ts'
import { categoriesOfOwners } from '../booking/booking.queries.ts'
import { bookingOfRow, draftOf, tagIndex } from '../booking/booking.rules.ts'
import { categoryIndex, foreseenCategories, type OwnedCategory } from '../booking/making.rules.ts'
import type { StoredImport } from '../imports.queries.ts'
import type { Mapping } from '../imports.rules.ts'
import type { DecidedRow } from './pieces.rules.ts'

/** The caller's rules, by their ids: others are told to nobody. */
export type KnownRules = ReadonlyMap<string, string>

export const knownRules = (ctx: SignedIn, named: { id: string; name: string }[]): KnownRules =>
  new Map(
    profileOf(ctx).permissions.includes('rules.read')
      ? named.map(({ id, name }) => [id, name])
      : [],
  )

/** What rules make of a row. */
export interface RuledRow {
  /** Those that match it; of a row that is booked, those that changed it. */
  rules: { id: string; name: string; code: string | null }[]
  changes: Ruling['changes']
}

/** The rules among these that the caller knows. */
export const rulesAmong = (
  known: KnownRules,
  ids: string[],
  failed: Ruling['failed'] = [],
): RuledRow['rules'] =>
  ids.flatMap((id) => {
    const name = known.get(id)
    const code = failed.find(({ ruleId }) => ruleId === id)?.code ?? null
    return name === undefined ? [] : [{ id, name, code }]
  })

/** Finds the accounts, and the labels that rows may name. */
export const basisOfRows = (ctx: SignedIn) =>
  [visibleAccounts(ctx), categoriesOfOwners(ctx), namedTags(ctx)] as const

type Basis = [AccountView[], OwnedCategory[], NamedTag[]]

const BOOKED: ReadonlySet<string> = new Set(['new', 'transfer'])

/**
 * Tells of rows that are to be booked what rules will make of them, by the decision of the commit, which takes one round trip. None
 * are told of rows on accounts that the commit creates.
 */
export async function ruledRows<Row extends DecidedRow>(
  ctx: SignedIn,
  { id: importId, mapping: stored }: StoredImport,
  rows: Row[],
  [views, categories, tags]: Basis,
  known: KnownRules,
): Promise<(Row & { ruled: RuledRow | null })[]> {
  const accounts = new Map(views.map((view) => [view.account.id, view]))
  const mapping = JSON.parse(stored) as Mapping
  const making = {
    ...{ id: '', importId, externalId: null, mapping, tags: tagIndex(tags) },
    categories: foreseenCategories(categoryIndex(categories), ctx.caller.userId),
  }
  const drafts = new Map(
    rows.flatMap((row) => {
      const booking = BOOKED.has(row.verdict) ? bookingOfRow(row, accounts) : undefined
      return booking ? [[row, draftOf(booking, making)]] : []
    }),
  )
  const { needs, rulingOf } = makeDrafts(ctx, [...drafts.values()])
  const ruling =
    drafts.size === 0
      ? () => undefined
      : rulingOf(
          await read(ctx, ...needs),
          views.map(({ account }) => account),
        )
  return rows.map((row) => {
    const draft = drafts.get(row)
    if (!draft) {
      return { ...row, ruled: BOOKED.has(row.verdict) ? null : NOT_RULED }
    }
    const { matchedIds = [], failed, changes = [] } = ruling(draft) ?? {}
    return {
      ...row,
      ruled: {
        rules: rulesAmong(known, matchedIds, failed),
        changes: changes.map(({ field, before = null, after, ruleId }) => ({
          ...{ field, before, after },
          ruleId: ruleId !== null && known.has(ruleId) ? ruleId : null,
        })),
      },
    }
  })
}

export const NOT_RULED: RuledRow = { rules: [], changes: [] }
