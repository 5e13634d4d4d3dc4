import { LONGEST_TEXTS } from '../../../../domain/ledger-ids.ts'
import type { Status } from '../../../../domain/ledger.ts'
import { negate } from '../../../../domain/money.ts'
import type { Entry } from '../../../../domain/ledger.ts'
import { fieldsThatDiffer } from '../../../../domain/comparing.ts'
import {
  type Amendment,
  entriesOf,
  headerOf,
  type LedgerRow,
  othersOf,
} from '../../../../ledger/ledger.public.ts'
import type { HeldIdentity } from '../imports.rules.ts'
import type { RowBooking } from './booking.rules.ts'

/** The fields of a side of a transaction that a row of a file may write. */
export interface WrittenFields {
  status: Status
  date: string
  amountMinor: number
  externalId: string | null
  /** The bank's text of the transaction, or of the other side of a part, which has its own. */
  payeeRaw: string | null
  time: string | null
  note: string | null
}

/** The state of a transaction before an import matched it, with what the import wrote: a revert restores what still is that. */
export interface Before {
  version: number
  /** When it was matched, in milliseconds; what an old backup brought may have neither this nor `wrote`. */
  at?: number
  wrote?: Partial<WrittenFields>
  /** The line of the account’s side; it may be missing in rows of an old backup. */
  line?: number
  status: Status
  date: string
  amountMinor: number
  externalId: string | null
  /** It was moved to the trash. */
  trashed?: true
  columns: { payeeRaw: string | null; time: string | null; note: string | null }
  /** The bank's text of the other side of a part. */
  linePayeeRaw?: string | null
  /** The identities that it had as a pending row. */
  held?: HeldIdentity[]
}

/** JSON of what an import added with a row that another one stands for: nothing of its own, but a revert has to forget it. */
export const NOTHING_ADDED = 'null'

/** The fields of the side that a row is of its transaction. */
export const fieldsOf = (row: SideFields): WrittenFields => ({
  ...{ status: row.status, date: row.date, amountMinor: row.amountMinor },
  ...{ externalId: row.externalId, time: row.time, note: row.note },
  payeeRaw: row.pair === null ? row.payeeRaw : row.linePayeeRaw,
})

type SideFields = Pick<LedgerRow, keyof WrittenFields | 'pair' | 'linePayeeRaw'>

/** The fields that an amendment for a row of a file writes. The status is always what the file says, even if it was so before. */
export function writtenBy({ row, columns, entries }: Amendment): Partial<WrittenFields> {
  const own = entries?.find(({ line }) => line === row.line)
  const { date = row.date, payeeRaw = row.payeeRaw, time = row.time, note = row.note } = columns
  const {
    status,
    amountMinor,
    externalId,
    payeeRaw: linePayeeRaw,
  } = own ?? {
    ...row,
    payeeRaw: row.linePayeeRaw,
  }
  const after = fieldsOf({
    ...{ status, date, amountMinor, externalId, payeeRaw, time, note },
    ...{ pair: row.pair, linePayeeRaw },
  })
  return { ...fieldsThatDiffer(after, fieldsOf(row)), ...(own ? { status } : {}) }
}

export const beforeOf = (row: LedgerRow): Before => ({
  version: row.version,
  line: row.line,
  status: row.status,
  date: row.date,
  amountMinor: row.amountMinor,
  externalId: row.externalId,
  columns: { payeeRaw: row.payeeRaw, time: row.time, note: row.note },
  ...(row.pair === null ? {} : { linePayeeRaw: row.linePayeeRaw }),
})

/** Tells whether a line has the status of the side that a row is of its transaction: parts and transfers have others, too. */
const isOfSide = ({ pair, accountId, headerKind }: LedgerRow, entry: Entry): boolean =>
  headerKind === 'transfer' ? entry.accountId === accountId : (entry.pair ?? null) === pair

/** Tells whether a transaction may move to another day: it moves with all its sides, and one is not moved that is reconciled. */
const isMovable = (row: LedgerRow): boolean =>
  isSingle(row) &&
  row.status !== 'void' &&
  entriesOf(row).every(({ status }) => status !== 'reconciled')

const isSingle = ({ headerKind, pair }: LedgerRow): boolean =>
  headerKind !== 'transfer' && pair === null

/** The facts of a row for the transaction that it is matched with. */
interface Telling {
  externalId: string | null
  /** True if date and amount are taken from the row: a pending one was booked, or the bank corrected it. */
  isUpdated: boolean
}

/**
 * Gives a transaction what a row of a file adds to it: the status of what is on a statement, the bank's id, and words that it
 * lacks. It keeps every word of the user. What is reconciled keeps its lines as they are.
 */
export function amendmentFor(
  row: LedgerRow,
  { row: { source }, decided, date, minor }: RowBooking,
  { externalId, isUpdated }: Telling,
): Amendment {
  const isFixed = row.status === 'reconciled' || row.status === 'void'
  const isMoved = isMovable(row) && (isUpdated || decided.overrides.takeDate === true)
  const status = source.pending ? ('pending' as const) : ('cleared' as const)
  const stored = entriesOf(row)
  const isPlain =
    isSingle(row) && stored.length === 2 && Math.sign(minor) === Math.sign(row.amountMinor)
  const priced =
    isUpdated && isPlain
      ? stored.map((entry) => ({
          ...entry,
          amountMinor: entry.line === row.line ? minor : negate(minor),
        }))
      : stored
  const own = row.externalId === null || row.externalId.startsWith('rec:') ? externalId : null
  const payeeRaw = source.payeeRaw?.slice(0, LONGEST_TEXTS.payeeRaw) ?? null
  // All lines have one date; other accounts keep the status that they have.
  const entries = priced.map((entry) => ({
    ...entry,
    ...(isMoved ? { date } : {}),
    ...(isOfSide(row, entry) ? { status } : {}),
    ...(entry.line === row.line && own !== null ? { externalId: own } : {}),
    ...(entry.line === row.line && row.pair !== null
      ? { payeeRaw: row.linePayeeRaw ?? payeeRaw }
      : {}),
  }))
  // The words of a whole are those of its own account.
  const words = {
    payeeRaw: row.payeeRaw ?? payeeRaw,
    time: row.time ?? source.time?.slice(0, 5) ?? null,
    note: row.note ?? source.note?.slice(0, LONGEST_TEXTS.note) ?? null,
  }
  return {
    row,
    columns: { date: isMoved ? date : row.date, ...(row.pair === null ? words : {}) },
    ...(isFixed ? {} : { entries }),
    right: 'write',
    carries: true,
  }
}

/** Makes one amendment of those of several sides of a transaction. What sides say otherwise is as the first one says. */
export const byTransaction = (amendments: Amendment[]): Amendment[] =>
  [...Map.groupBy(amendments, ({ row }) => row.transactionId).values()].flatMap((sides) =>
    sides.length === 1 ? sides : sides.slice(0, 1).map((first) => ofAllSides(first, sides)),
  )

function ofAllSides(first: Amendment, sides: Amendment[]): Amendment {
  const header = headerOf(first.row)
  const lastFirst = sides.toReversed()
  const entries = entriesOf(first.row).map((entry, at) => ({
    ...entry,
    ...joinedFields(lastFirst.map((side) => fieldsThatDiffer(side.entries?.[at] ?? {}, entry))),
  }))
  const columns = {
    ...joinedFields(lastFirst.map((side) => side.columns)),
    ...joinedFields(lastFirst.map((side) => fieldsThatDiffer(side.columns, header))),
  }
  return { ...first, columns, ...(sides.some((side) => side.entries) ? { entries } : {}) }
}

/** All fields together; the last one says what each is. */
const joinedFields = <Fields extends object>(all: Fields[]): Partial<Fields> =>
  Object.fromEntries(all.flatMap((fields) => Object.entries(fields))) as Partial<Fields>

/** Tells whether the bank withdraws the transaction that a row names. */
export const isWithdrawn = ({ decided, row: { source } }: RowBooking): boolean =>
  decided.verdict === 'updated' && source.correction?.action === 'delete'

/** Sides on other accounts are on other statements, and must not go with it; what is reconciled goes by force alone. */
export const isTrashable = (row: LedgerRow, force = false): boolean =>
  othersOf(row).every(({ side }) => side !== 'account') && (force || row.status !== 'reconciled')

/** Returns the change of the account's balance if a row updates or withdraws a transaction. */
export function effectOf(booking: RowBooking, stored: LedgerRow): number {
  if (isWithdrawn(booking)) {
    return isTrashable(stored) ? negate(stored.amountMinor) : 0
  }
  const { entries } = amendmentFor(stored, booking, { externalId: null, isUpdated: true })
  const own = entries?.find(({ line }) => line === stored.line)
  return (own?.amountMinor ?? stored.amountMinor) - stored.amountMinor
}

/**
 * True if a field can get its earlier value back: reconciled lines stay, a day moves with all sides, and parts make
 * up the amount.
 */
export function canRestore(
  row: LedgerRow,
  field: keyof WrittenFields,
  amountMinor: number,
): boolean {
  if (row.status === 'reconciled' || row.status === 'void') {
    return !['status', 'date', 'amountMinor'].includes(field)
  }
  if (field === 'amountMinor') {
    const isPlain = isSingle(row) && entriesOf(row).length === 2
    return isPlain && Math.sign(amountMinor) === Math.sign(row.amountMinor)
  }
  return field !== 'date' || isMovable(row)
}

/** Gives a transaction these values back; without changes of lines, its lines stay as they are. */
export function amendmentBack(row: LedgerRow, back: Partial<WrittenFields>): Amendment {
  const { status, date, amountMinor, ...words } = back
  const { externalId, payeeRaw, ...others } = words
  const isOfPart = row.pair !== null
  const ofOwn = {
    ...('externalId' in back ? { externalId } : {}),
    ...('payeeRaw' in back && isOfPart ? { payeeRaw } : {}),
  }
  const isBooked = [status, date, amountMinor].some((value) => value !== undefined)
  const entries = entriesOf(row).map((entry) => ({
    ...entry,
    ...(status !== undefined && isOfSide(row, entry) ? { status } : {}),
    ...(date === undefined ? {} : { date }),
    ...(amountMinor === undefined
      ? {}
      : { amountMinor: entry.line === row.line ? amountMinor : negate(amountMinor) }),
    ...(entry.line === row.line ? ofOwn : {}),
  }))
  return {
    row,
    columns: {
      ...others,
      ...('payeeRaw' in back && !isOfPart ? { payeeRaw } : {}),
      ...(date === undefined ? {} : { date }),
    },
    ...(isBooked || Object.keys(ofOwn).length > 0 ? { entries } : {}),
    right: 'write',
    carries: true,
  }
}
