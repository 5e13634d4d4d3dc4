import { type CalendarDate, firstOfMonth, lastOfMonth, monthOf } from '../../domain/calendar.ts'

/** The kept sums that together are what moved in a span of days. */
export interface Spans {
  /** Whole months, after the one and before the other. */
  months?: { after: string; before: string }
  /** First and last day of each run of days. */
  days: [CalendarDate, CalendarDate][]
}

/** Whole months in the middle, single days at the edges; both ends are included. */
export function spansOf(from: CalendarDate | undefined, to: CalendarDate | undefined): Spans {
  if (from !== undefined && to !== undefined && (to < from || monthOf(from) === monthOf(to))) {
    return { days: from <= to ? [[from, to]] : [] }
  }
  return {
    months: {
      after: from === undefined ? '' : monthOf(from),
      // Above all months in the order of text.
      before: to === undefined ? '~' : monthOf(to),
    },
    days: [
      ...(from === undefined ? [] : [[from, lastOfMonth(from)] satisfies Spans['days'][number]]),
      ...(to === undefined ? [] : [[firstOfMonth(to), to] satisfies Spans['days'][number]]),
    ],
  }
}
