import { type SQL, sql } from 'drizzle-orm'
import type { AppError } from '../../domain/errors.ts'
import type { EntrySide } from '../../domain/ledger.ts'
import { numberOf, premise } from '../../platform/database/premises.ts'
import { db, prepared, type Statement } from '../../platform/database/statements.ts'
import type { NewWhole, Whole } from '../books/matched.queries.ts'

/** The errors for something that cannot be used in a booking. */
type Unbookable = Record<'unknown' | 'archived', () => AppError>

/** The errors of an operation for labels that belong to another owner, are archived, or are of another kind. */
export interface LabelErrors {
  categories: Unbookable & { otherKind: () => AppError }
  payees: Unbookable
  tags: Unbookable
}

/** A category, payee or tag that a transaction is booked with. */
export interface BookedWith {
  what: 'category' | 'payee' | 'tag'
  id: string
  ownerId: string
  /** The kind that a category must be of. */
  kind?: string
  /** True if the label may have been archived meanwhile, because no person chose it. */
  isSuggested?: true
}

/** Returns the labels of a transaction that it did not have before. */
export function bookedWith({ header, entries, labels }: Whole, before?: Whole): BookedWith[] {
  const { ownerId } = header
  const all: BookedWith[] = [
    ...entries.flatMap(({ categoryId: id, side }) =>
      id === null ? [] : [{ what: 'category' as const, id, ownerId, kind: categoryKindOn(side) }],
    ),
    ...labels.payees.map(({ payeeId: id }) => ({ what: 'payee' as const, id, ownerId })),
    ...labels.tags.map(({ tagId: id }) => ({ what: 'tag' as const, id, ownerId })),
  ]
  if (!before || all.length === 0) {
    return all
  }
  const known = new Set(bookedWith(before).map(keyOf))
  return all.filter((one) => !known.has(keyOf(one)))
}

/** Returns the labels of a new transaction. */
export const bookedAnew = ({ suggested, ...whole }: NewWhole): BookedWith[] =>
  bookedWith(whole).map((one) =>
    suggested?.has(one.id) ? { ...one, isSuggested: true as const } : one,
  )

const keyOf = ({ what, id, kind = '' }: BookedWith) => `${what} ${id} ${kind}`

/** Refuses unless all of these are the owner's and not archived, and the categories are of the kind of their lines. */
export function mustBeBookable(
  all: BookedWith[],
  { categories, payees, tags }: LabelErrors,
): Statement[] {
  const distinct = [...new Map(all.map((one) => [keyOf(one), one])).values()]
  return distinct.length === 0
    ? []
    : [
        premise(areBookable({ json: JSON.stringify(distinct) }), {
          unknownCategory: categories.unknown,
          otherKind: categories.otherKind,
          archivedCategory: categories.archived,
          unknownPayee: payees.unknown,
          archivedPayee: payees.archived,
          unknownTag: tags.unknown,
          archivedTag: tags.archived,
        }),
      ]
}

/** A transfer has its category on the lines of its accounts, and a part that is one on those of the exchange. */
const categoryKindOn = (side: EntrySide) =>
  side === 'account' || side === 'exchange' ? 'expense' : side

/** True if a category may not be on a line because it is of another kind. Kind and side are columns. */
export const isOfOtherKind = (kind: string, side: string): SQL =>
  sql.raw(`${kind} <> iif(${side} IN ('account', 'exchange'), 'expense', ${side})`)

const otherKind = isOfOtherKind('o.kind', 'n.kind')

/** Selects the items of a list that match no row `o` of a table. */
const notFoundIn = (table: string, label: BookedWith['what']) =>
  sql.raw(`FROM named n LEFT JOIN ${table} o ON o.id = n.id AND o.owner_id = n.ownerId
    WHERE n.what = '${label}' AND (o.id IS NULL OR (o.archived = 1 AND n.isSuggested IS NULL)`)

const areBookable = prepared<{ json: string }, unknown>(() =>
  db.run(sql`INSERT INTO write_guard (premise)
    WITH named AS MATERIALIZED (SELECT value->>'what' AS what, value->>'id' AS id, value->>'ownerId' AS ownerId,
      value->>'kind' AS kind, value->>'isSuggested' AS isSuggested FROM json_each(${sql.placeholder('json')}))
    SELECT CASE WHEN o.id IS NULL THEN ${numberOf('unknownCategory')}
        WHEN ${otherKind} THEN ${numberOf('otherKind')} ELSE ${numberOf('archivedCategory')} END
      ${notFoundIn('categories', 'category')} OR ${otherKind})
    UNION ALL SELECT iif(o.id IS NULL, ${numberOf('unknownPayee')}, ${numberOf('archivedPayee')})
      ${notFoundIn('payees', 'payee')})
    UNION ALL SELECT iif(o.id IS NULL, ${numberOf('unknownTag')}, ${numberOf('archivedTag')})
      ${notFoundIn('tags', 'tag')})
    LIMIT 1`),
)
