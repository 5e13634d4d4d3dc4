import { checkAll } from '../../../../domain/errors.ts'
import { splitIdOf, splitLineOf } from '../../../../domain/ledger-ids.ts'
import { type Entry, partTransferOf, type Split } from '../../../../domain/ledger.ts'
import { formatMoney, negate, parseMoney, sum } from '../../../../domain/money.ts'
import { type Labels, labelsAt } from '../../../../ledger/labels/labels.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import {
  requireFewTransfers,
  type TransferInput,
  transferOfPart,
  type WholeOfParts,
} from './parts.rules.ts'

export interface SplitInput extends TransferInput {
  /** Id of a part that is kept. */
  id?: string | undefined
  /** Signed against the whole. */
  amount: string
  categoryId?: string | null | undefined
  payeeId?: string | null | undefined
  tagIds?: string[] | undefined
  note?: string | null | undefined
}

/** The changes of a part. */
export type SplitChanges = {
  [Field in keyof Omit<SplitInput, 'id'>]?: SplitInput[Field] | undefined
}

/**
 * The parts as they were sent, each with the line that it keeps.
 * @param known the parts that the transaction has
 */
export function readSplits(
  inputs: SplitInput[],
  whole: WholeOfParts,
  { transactionId, known }: { transactionId: string; known: Split[] },
): Split[] {
  const { currency } = whole.leg
  const free = new Set(known.map(({ line }) => line))
  const readers = inputs.map((input, at) => (): Split => {
    const line = input.id === undefined ? undefined : splitLineOf(transactionId, input.id)
    if (input.id !== undefined && (line === undefined || !free.delete(line))) {
      throw transactionErrors.unknownSplit({ field: `splits.${at}.id` })
    }
    const rules = { signed: true, allowZero: false, field: `splits.${at}.amount` }
    const amountMinor = parseMoney(input.amount, currency, rules)
    const now = known.find((part) => line !== undefined && part.line === line)
    const categoryId = input.categoryId ?? null
    const transfer = transferOfPart({ ...input, amountMinor }, now, whole, `splits.${at}`)
    return {
      ...{ line, amountMinor, categoryId, note: input.note ?? null },
      ...(transfer ? { transfer } : {}),
      ...(now?.isLeft && !transfer && categoryId === null ? { isLeft: true } : {}),
    }
  })
  return requireFewTransfers(checkAll(...readers))
}

export const sumOfSplits = (splits: Split[]): number =>
  sum(splits.map(({ amountMinor }) => amountMinor))

/** The stored line goes the other way than the account's; a part is shown in the direction of the whole. */
export function splitFrom(part: Entry, signedMinor: number, entries: Entry[]): Split {
  const transfer = partTransferOf(entries, part)
  return {
    line: part.line,
    amountMinor: signedMinor < 0 ? part.amountMinor : negate(part.amountMinor),
    categoryId: part.categoryId,
    note: part.note,
    ...(transfer ? { transfer } : {}),
    ...(part.side === 'adjustment' ? { isLeft: true } : {}),
  }
}

interface SplitTransaction {
  transactionId: string
  currency: string
  splits: Split[]
  labels: Labels
}

/** All parts as a request would send them, one of them changed; undefined when there is no such part. */
export function withChangedSplit(
  { transactionId, currency, splits, labels }: SplitTransaction,
  splitId: string,
  change: SplitChanges,
): SplitInput[] | undefined {
  const changedLine = splitLineOf(transactionId, splitId)
  const inputs = splits.map(({ line = 0, amountMinor, categoryId, note }) => ({
    id: splitIdOf(transactionId, line),
    amount: formatMoney(amountMinor, currency),
    categoryId,
    note,
    ...labelledAt(labels, line),
    ...(line === changedLine ? sent(change) : {}),
  }))
  return splits.some(({ line }) => line === changedLine) ? inputs : undefined
}

function labelledAt(labels: Labels, line: number): Pick<SplitInput, 'payeeId' | 'tagIds'> {
  const { payeeId, tagIds } = labelsAt(labels, line)
  return { payeeId, tagIds }
}

/** A part that becomes a transfer has no payee any more. */
const sent = (change: SplitChanges): Partial<SplitInput> => ({
  ...(change.transferAccountId ? { payeeId: null } : {}),
  ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
})
