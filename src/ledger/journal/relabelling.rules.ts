import { kindAt, legIdOf } from '../../domain/ledger-ids.ts'
import { type LabelledLine, WHOLE } from '../labels/labels.rules.ts'

/** A field of transactions that tells a label. */
export type LabelField = 'categoryId' | 'payeeId' | 'tagIds'

/** Some labels of a transaction, as one of its accounts shows them. */
export interface Relabelled {
  categoryId?: string | null
  payeeId?: string | null
  tagIds?: string[]
  splits?: ({ line: number } & Pick<Relabelled, LabelField>)[]
  /** The fees, if the transaction is a transfer. */
  fees?: ({ line: number } & Pick<Relabelled, LabelField>)[]
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
   * The lines that the side shows. Only the side that pays the fees of a transfer shows their categories, but both get
   * a new version.
   */
  lines: LabelledLine[]
}

/** The sides of one transaction of which a label changes. */
export function sidesOfLabelled(field: LabelField, lines: LabelledLine[]): ChangedSide[] {
  const [first] = lines
  if (!first) {
    return []
  }
  const { transactionId, kind, accountId, toAccountId, version } = first
  const legs = JSON.parse(first.legs) as [line: number, accountId: string][]
  const sideOf = (line: number, id: string, shown: LabelledLine[]) => ({
    thing: {
      id: legIdOf(transactionId, kindAt(line, kind), line),
      accountId: id,
      version: version + 1,
    },
    lines: shown,
  })
  const isShared = ({ isWhole }: LabelledLine) => isWhole || field !== 'categoryId'
  // The other side of a part has its category on the line behind the account's own, and shows no other label.
  const sideOfPart = ([line, id]: [number, string]) =>
    sideOf(
      line,
      id,
      lines.filter((one) => one.line === line + 1).map((one) => ({ ...one, isWhole: 1 })),
    )
  const ofParts = new Set(legs.map(([line]) => line + 1))
  return [
    sideOf(
      1,
      accountId,
      lines.filter(({ line }) => !ofParts.has(line)),
    ),
    ...(toAccountId === null ? [] : [sideOf(2, toAccountId, lines.filter(isShared))]),
    ...legs.map(sideOfPart),
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
  const name = lines[0]?.kind === 'transfer' ? 'fees' : 'splits'
  return {
    ...labels.find(({ line }) => line === WHOLE)?.label,
    ...(parts.length === 0 ? {} : { [name]: parts.map(({ line, label }) => ({ line, ...label })) }),
  }
}
