import { legIdOf } from '../../domain/ledger.ts'
import { type LabelledLine, WHOLE } from '../labels/labels.rules.ts'

/** A field of transactions that tells a label. */
export type LabelField = 'categoryId' | 'payeeId' | 'tagIds'

/** Some labels of a transaction, as one of its accounts shows them. */
export interface Relabelled {
  categoryId?: string | null
  payeeId?: string | null
  tagIds?: string[]
  splits?: ({ line: number } & Pick<Relabelled, LabelField>)[]
  /** The fee, if the transaction is a transfer. */
  fee?: Pick<Relabelled, 'categoryId'>
}

/** A side of a transaction whose label changes, with the version that it has then. */
interface ChangedSide {
  thing: {
    /** The id under which it is addressed. */
    id: string
    accountId: string
    version: number
  }
  /**
   * Whether the side shows the change. Only the side that pays the fee of a transfer shows its category, but both get
   * a new version.
   */
  isShown: boolean
}

/** The sides of one transaction of which a label changes. */
export function sidesOfLabelled(field: LabelField, [first]: LabelledLine[]): ChangedSide[] {
  if (!first) {
    return []
  }
  const { transactionId, kind, accountId, toAccountId, version } = first
  const sideOf = (line: number, id: string, isShown: boolean) => ({
    thing: { id: legIdOf(transactionId, kind, line), accountId: id, version: version + 1 },
    isShown,
  })
  return [
    sideOf(1, accountId, true),
    ...(toAccountId === null ? [] : [sideOf(2, toAccountId, field !== 'categoryId')]),
  ]
}

/** Tells the labels of some lines of one transaction, before or after the change. */
export function labelsOn(
  field: LabelField,
  lines: LabelledLine[],
  idOf: (line: LabelledLine) => string | null,
): Relabelled {
  const labels = [...Map.groupBy(lines, ({ isWhole, line }) => (isWhole ? WHOLE : line))].map(
    ([line, some]) => {
      const ids = [...new Set(some.flatMap((one) => idOf(one) ?? []))]
      return { line, label: { [field]: field === 'tagIds' ? ids : (ids[0] ?? null) } }
    },
  )
  const parts = labels.filter(({ line }) => line !== WHOLE)
  if (parts[0] && lines[0]?.kind === 'transfer') {
    return { fee: parts[0].label }
  }
  return {
    ...labels.find(({ line }) => line === WHOLE)?.label,
    ...(parts.length === 0 ? {} : { splits: parts.map(({ line, label }) => ({ line, ...label })) }),
  }
}
