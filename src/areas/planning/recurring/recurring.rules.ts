import { type CalendarDate, dateInZone } from '../../../domain/calendar.ts'
import type { Kind } from '../../../domain/ledger.ts'
import { parseMoney } from '../../../domain/money.ts'
import type { ExpectedAmount } from '../../../domain/recurring/amounts.ts'
import { restsUntil, type Span } from '../../../domain/recurring/occurrences.ts'
import type { Schedule } from '../../../domain/schedules/schedules.ts'
import {
  type RecordDraft,
  type SentTransaction,
  type SentTransfer,
  transferDraft,
} from '../../money/transactions/transactions.public.ts'

export const MOST_ACTIVE = 500

/** When something has to be done next for an item that came out of an archive: what lay between is left out. */
export const RESTORED = 0

/** An item as it is stored. */
export interface StoredRecurring {
  id: string
  ownerId: string
  createdBy: string
  name: string
  purpose: 'bill' | 'subscription' | 'income' | 'other'
  mode: 'post' | 'ask' | 'expect'
  active: boolean
  private: boolean
  accountId: string | null
  /** JSON of a list. */
  accountIds: string
  currency: string
  /** JSON of a `Definition`. */
  definition: string
  firstDay: CalendarDate
  /** JSON of `Span[]`. */
  rests: string
  restedOn: CalendarDate | null
  handledThrough: CalendarDate | null
  remindedOn: CalendarDate | null
  previousId: string | null
  nextAt: number | null
  version: number
  createdAt: number
  updatedAt: number
}

/** An item as it was read. */
export interface RecurringRow extends StoredRecurring {
  /** The number of its accounts that are in the trash. */
  goneAccounts: number
  /** Of its owner. */
  timeZone: string
}

/** An occurrence of which more is known than the schedule says, as it is stored. */
export interface StoredOccurrence {
  recurringId: string
  ownerId: string
  nominalDate: CalendarDate
  /** The day to which it was moved. */
  date: CalendarDate | null
  /** JSON. */
  changes: string | null
  state: 'booked' | 'skipped' | 'missed' | null
  reason: string | null
  expectedMinor: number | null
  told: boolean
  updatedAt: number
}

/** A transaction that is linked to an occurrence. */
export interface LinkedRow {
  recurringId: string
  nominalDate: CalendarDate
  /** Of the transaction or transfer. */
  headerId: string
  kind: Kind
  line: number
  date: CalendarDate
  /** As seen from the account of the item. */
  amountMinor: number
}

/** An expense or an income as an item describes it. */
type RecurringSingle = Omit<SentTransaction, 'kind' | 'date' | 'accountId'> & {
  kind: 'expense' | 'income'
  /** null where any own account will do. */
  accountId: string | null
  /** Only where there is no account. */
  currency?: string | undefined
}

type RecurringTransfer = Omit<SentTransfer, 'date' | 'fee' | 'fromAccountId' | 'toAccountId'> & {
  kind: 'transfer'
  fromAccountId: string
  toAccountId: string
}

/** The transaction that an item describes, as `POST /transaction` and `POST /transfer` take it, without its date. */
export type RecurringTransaction = RecurringSingle | RecurringTransfer

/** The parts of an item that no statement selects by, as requests send them. */
export interface Definition {
  /** null for a template. */
  schedule: Schedule | null
  transaction: RecurringTransaction
  amountIs: ExpectedAmount['amountIs']
  /** Decimal text; only with `between`. */
  amountMax: string | null
  /** Decimal text; only with `about`. */
  tolerancePercent: string | null
  dayWindow: number
  leadDays: number
  graceDays: number
  remindOn: CalendarDate | null
  note: string | null
}

/** All of an item that a request says. */
export interface ItemInput
  extends Definition, Pick<StoredRecurring, 'name' | 'purpose' | 'mode' | 'active'> {}

/** An item as it stands today: with what its columns of JSON say, and with what is known of its occurrences. */
export interface RecurringItem
  extends Omit<RecurringRow, 'definition' | 'rests'>, Definition, Omit<ExpectedAmount, 'amountIs'> {
  row: RecurringRow
  rests: Span[]
  /** By the calendar of its owner. */
  today: CalendarDate
  /** By nominal dates, as are the transactions. */
  stored: Map<CalendarDate, StoredOccurrence>
  linked: Map<CalendarDate, LinkedRow[]>
}

export function itemOf(
  { now }: { now: number },
  row: RecurringRow,
  stored: readonly StoredOccurrence[] = [],
  linked: readonly LinkedRow[] = [],
): RecurringItem {
  const { definition, rests, ...columns } = row
  const described = JSON.parse(definition) as Definition
  const { transaction, amountMax, tolerancePercent } = described
  return {
    ...columns,
    ...described,
    row,
    rests: JSON.parse(rests) as Span[],
    amountMinor: parseMoney(transaction.amount, row.currency),
    amountMaxMinor: amountMax === null ? null : parseMoney(amountMax, row.currency),
    tolerance: tolerancePercent === null ? USUAL_TOLERANCE : hundredthsOf(tolerancePercent),
    today: dateInZone(now, row.timeZone),
    stored: new Map(stored.map((one) => [one.nominalDate, one])),
    linked: Map.groupBy(linked, ({ nominalDate }) => nominalDate),
  }
}

/** Items as they were read together with what is known of their occurrences. */
export function itemsFrom(
  ctx: { now: number },
  [rows, stored, linked]: readonly [
    RecurringRow[],
    StoredOccurrence[],
    LinkedRow[],
    ...(readonly unknown[]),
  ],
): RecurringItem[] {
  const storedOf = Map.groupBy(stored, ({ recurringId }) => recurringId)
  const linkedOf = Map.groupBy(linked, ({ recurringId }) => recurringId)
  return rows.map((row) => itemOf(ctx, row, storedOf.get(row.id), linkedOf.get(row.id)))
}

/** In hundredths of a percent. */
const USUAL_TOLERANCE = 1000

const hundredthsOf = (percent: string): number => {
  const [whole = '0', decimals = ''] = percent.split('.')
  return Number(whole) * 100 + Number(decimals.padEnd(2, '0'))
}

/** The transaction of an item, with what is different this time. @param changes JSON */
export const transactionWith = (
  transaction: RecurringTransaction,
  changes: string | null,
): RecurringTransaction =>
  changes === null ? transaction : { ...transaction, ...(JSON.parse(changes) as object) }

/** The draft of the transaction of an item on a day. */
export function draftOf(transaction: RecurringTransaction, date: CalendarDate): RecordDraft {
  if (transaction.kind === 'transfer') {
    return transferDraft({ ...transaction, date })
  }
  const { currency: _currency, accountId, ...sent } = transaction
  return { ...sent, date, ...(accountId === null ? {} : { accountId }) }
}

/** True if nothing of the item can become due. */
export const isResting = ({ active, goneAccounts }: RecurringItem): boolean =>
  !active || goneAccounts > 0

/** The fields that are said. */
export const defined = <Fields extends object>(
  fields: Fields,
): { [Field in keyof Fields]?: Exclude<Fields[Field], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields

/** The columns of an item that begins or ceases to rest. What lay between is left out. */
export const restingColumns = (
  item: Pick<RecurringItem, 'rests' | 'restedOn' | 'handledThrough'>,
  isActive: boolean,
  today: CalendarDate,
): Partial<StoredRecurring> =>
  isActive
    ? { rests: JSON.stringify(restsUntil(item, today)), restedOn: null }
    : { restedOn: item.restedOn ?? today }
