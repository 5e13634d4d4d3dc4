import { type AppError, checkAll } from '../../domain/errors.ts'
import type { Kind } from '../../domain/ledger.ts'

/** The line that stands for the whole of a transaction. */
export const WHOLE = 0

/** The payees and tags of a transaction and its parts, sorted by line and then by id. */
export interface Labels {
  payees: { line: number; payeeId: string }[]
  tags: { line: number; tagId: string }[]
}

/** A category, tag or payee as a booking has to know it. */
export interface Bookable {
  id: string
  ownerId: string
  archived: boolean
}

/** Keeps the rows of the transaction's owner, since labels must be the owner's no matter who adds them. */
export const rowsOfOwner = <Row extends Pick<Bookable, 'ownerId'>>(
  ownerId: string,
  all: Row[],
): Row[] => all.filter((one) => one.ownerId === ownerId)

export const NO_LABELS: Labels = { payees: [], tags: [] }

/** The labels of one line. */
export interface LinesLabels {
  line: number
  payeeId: string | null
  tagIds: string[]
}

/** The labels of some lines, in their order; a tag counts once. */
export const labelsFrom = (lines: LinesLabels[]): Labels => ({
  payees: lines
    .flatMap(({ line, payeeId }) => (payeeId === null ? [] : [{ line, payeeId }]))
    .toSorted((one, other) => one.line - other.line),
  tags: lines
    .toSorted((one, other) => one.line - other.line)
    .flatMap(({ line, tagIds }) =>
      [...new Set(tagIds)].toSorted().map((tagId) => ({ line, tagId })),
    ),
})

/** The labels that a stored row tells, in order. */
export const labelsOf = (row: { payees: string; tags: string }): Labels => ({
  payees: (JSON.parse(row.payees) as Labels['payees']).toSorted((a, b) => a.line - b.line),
  tags: (JSON.parse(row.tags) as Labels['tags']).toSorted(
    (a, b) => a.line - b.line || (a.tagId < b.tagId ? -1 : 1),
  ),
})

export const labelsAt = ({ payees, tags }: Labels, line: number): LinesLabels => ({
  line,
  payeeId: payees.find((one) => one.line === line)?.payeeId ?? null,
  tagIds: tags.filter((one) => one.line === line).map(({ tagId }) => tagId),
})

export const isSameLabels = (one: Labels, other: Labels): boolean =>
  JSON.stringify([one.payees, one.tags]) === JSON.stringify([other.payees, other.tags])

/** An id that a request names, with the field that does. */
export interface Named {
  id: string
  field: string
}

/**
 * @param known those of the caller among the ones that are named
 * @param kept what a transaction that is changed has already: that may stay, archived or not
 */
export function requireKnownLabels(
  named: Named[],
  known: { id: string; archived: boolean }[],
  kept: string[],
  errors: Record<'unknown' | 'archived', (detail: { field: string }) => AppError>,
): void {
  const byId = new Map(known.map((one) => [one.id, one]))
  checkAll(
    ...named.map(({ id, field }) => () => {
      const found = byId.get(id)
      if (!found) {
        throw errors.unknown({ field })
      }
      if (found.archived && !kept.includes(id)) {
        throw errors.archived({ field })
      }
    }),
  )
}

/** A part, or a whole transaction, whose category, payee or tag is about to change. It may be in the trash, or matched. */
export interface LabelledLine {
  transactionId: string
  line: number
  /** 1 when it is no part: the whole transaction has the label. */
  isWhole: number
  /** The label that it has now; null for none. */
  targetId: string | null
  /** The kind of the transaction. The following fields are those of the transaction, too. */
  kind: Kind
  version: number
  private: number
  /** The account; of a transfer the one that sends, and pays the fee. */
  accountId: string
  /** The account that receives a transfer. */
  toAccountId: string | null
  /** JSON of the account lines of other accounts that parts have, as transfers, with these accounts. */
  legs: string
}

/** The most lines that one commit relabels. */
export const MOST_RELABELLED = 5000

/** Refuses what one commit cannot change, of lines of which one more was read. */
export function requireMovable(lines: LabelledLine[], tooMany: () => AppError): void {
  if (lines.length > MOST_RELABELLED) {
    throw tooMany()
  }
}
