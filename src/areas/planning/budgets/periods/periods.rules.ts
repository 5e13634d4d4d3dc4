import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { BudgetRow } from '../budgets.rules.ts'
import type { EnvelopePeriod, LimitPeriod } from '../figures/envelopes.rules.ts'
import type { LineRow } from '../lines/lines.rules.ts'

/** A period with all that is shown of it. */
export type FoundPeriod = {
  budget: BudgetRow
  today: CalendarDate
  /** In the order in which they are shown. */
  lines: LineRow[]
  note: string | null
  /** By line. */
  lineNotes: Record<string, string>
  version: number
  ratesAsOf: CalendarDate | undefined
} & ({ mode: 'envelope'; of: EnvelopePeriod } | { mode: 'limit'; of: LimitPeriod })
