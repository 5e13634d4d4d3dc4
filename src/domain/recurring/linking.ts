import { type CalendarDate, daysBetween } from '../calendar.ts'
import { disjointPairs } from '../matching/pairing.ts'
import { mentionsWords, payeeWords } from '../matching/texts.ts'
import { occurrencesFrom, type Schedule } from '../schedules/schedules.ts'
import { runSteps } from '../steps.ts'
import { foldKey } from '../text.ts'
import { amountFits, amountScore, type ExpectedAmount } from './amounts.ts'

export const LINK_REASONS = ['sameAmount', 'sameDay', 'closeDays', 'samePayee', 'sameText'] as const

export type LinkReason = (typeof LINK_REASONS)[number]

/** The scores from which on a link is made, or suggested. Of a row with two links that are this near, neither is made. */
const LEAST_MADE = 80
const LEAST_SUGGESTED = 50
const NEAR = 5

const OF_DAY = 30
const EACH_DAY = 3
const OF_PAYEE = 30
const OF_WORDS = 15

/** Days further apart score without a reason. */
const CLOSE = 2

/** Words that tell something have at least so many letters; two of them tell the payee. */
const LETTERS = 4
const WORDS = 2

/** Occurrences that show how near to each other they come: some years of months. */
const LOOKED_AT = 60

/** The most days between an occurrence and its row, so that no row lies between two occurrences of an item. */
export function reachOf(schedule: Schedule, dayWindow: number): number {
  const dates = [...occurrencesFrom(schedule).take(LOOKED_AT)].map((one) => one.nominalDate)
  const gaps = dates.slice(1).map((date, at) => daysBetween(dates[at] as CalendarDate, date))
  return Math.min(dayWindow, Math.floor((Math.min(...gaps) - 1) / 2))
}

/** The nearest nominal date of a schedule to each of some days; of two as near, the earlier one. None of a template. */
export function nearestDates(
  schedule: Schedule | null,
  days: readonly CalendarDate[],
): Map<CalendarDate, CalendarDate> {
  const last = days.reduce((latest, day) => (day > latest ? day : latest), '')
  const dates: CalendarDate[] = []
  for (const { nominalDate } of schedule ? occurrencesFrom(schedule) : []) {
    dates.push(nominalDate)
    if (nominalDate >= last) {
      break
    }
  }
  return new Map(
    days.flatMap((day) => {
      const at = dates.findIndex((date) => date >= day)
      const [before, after] = [dates.at(at === -1 ? -1 : Math.max(0, at - 1)), dates.at(at)]
      return before === undefined || after === undefined
        ? []
        : [[day, daysBetween(before, day) <= daysBetween(day, after) ? before : after]]
    }),
  )
}

/** What an item, or a row, says of who is paid. */
interface Described {
  payeeId: string | null
  texts: readonly string[]
}

export interface LinkableOccurrence extends Described {
  date: CalendarDate
  expected: ExpectedAmount
  /** The most days between it and its row. */
  reach: number
  /** The name of the payee, and its aliases. */
  names: readonly string[]
}

export interface LinkableRow extends Described {
  date: CalendarDate
  /** Without a sign. */
  amountMinor: number
}

/** How likely a row is of an occurrence, and why; undefined where it cannot be. Account, direction and currency fit. */
export function linkScore(
  occurrence: LinkableOccurrence,
  row: LinkableRow,
): { score: number; reasons: LinkReason[] } | undefined {
  const { expected, date, reach } = occurrence
  const days = Math.abs(daysBetween(date, row.date))
  if (days > reach || !amountFits(expected, row.amountMinor)) {
    return undefined
  }
  const isPayee = isSamePayee(occurrence, row)
  const isText = !isPayee && sharesWords(occurrence, row)
  const reasons: [LinkReason, boolean][] = [
    ['sameAmount', row.amountMinor === expected.amountMinor],
    ['sameDay', days === 0],
    ['closeDays', days > 0 && days <= CLOSE],
    ['samePayee', isPayee],
    ['sameText', isText],
  ]
  return {
    score:
      amountScore(expected, row.amountMinor) +
      (OF_DAY - EACH_DAY * days) +
      (isPayee ? OF_PAYEE : isText ? OF_WORDS : 0),
    reasons: reasons.flatMap(([reason, holds]) => (holds ? [reason] : [])),
  }
}

function isSamePayee({ payeeId, names }: LinkableOccurrence, row: LinkableRow): boolean {
  const texts = row.texts.map(foldKey)
  return (
    (payeeId !== null && payeeId === row.payeeId) ||
    names
      .map(foldKey)
      .some((name) => name !== '' && texts.some((text) => mentionsWords(text, name)))
  )
}

function sharesWords(one: Described, other: Described): boolean {
  const longWords = ({ texts }: Described) =>
    [...payeeWords(texts.join(' '))].filter((word) => word.length >= LETTERS)
  const known = new Set(longWords(one))
  return longWords(other).filter((word) => known.has(word)).length >= WORDS
}

/** A row and an occurrence that it may be of. */
interface Link {
  rowId: string
  rowDate: CalendarDate
  occurrenceId: string
  score: number
  /** False where the occurrence has transactions already: further ones are linked by hand. */
  isOpen: boolean
}

/** Decides which links are made, and which are suggested only, the best first. A row and an occurrence are in one link that is made. */
export function decideLinks<Found extends Link>(
  all: readonly Found[],
): { made: Found[]; suggested: Found[] } {
  const links = all.filter(({ score }) => score >= LEAST_SUGGESTED).toSorted(inOrder)
  const ofRow = Map.groupBy(links, ({ rowId }) => rowId)
  const hasRival = (link: Found) =>
    ofRow.get(link.rowId)?.some((one) => one !== link && Math.abs(one.score - link.score) <= NEAR)
  const sure = links.filter((one) => one.score >= LEAST_MADE && one.isOpen && !hasRival(one))
  const made = runSteps(disjointPairs(sure, ({ rowId, occurrenceId }) => [rowId, occurrenceId]))
  const taken = new Set(made.flatMap(({ rowId, occurrenceId }) => [rowId, occurrenceId]))
  const suggested = links.filter((one) => !taken.has(one.rowId) && !taken.has(one.occurrenceId))
  return { made, suggested }
}

const inOrder = (one: Link, other: Link): number =>
  other.score - one.score || (keyOf(one) < keyOf(other) ? -1 : 1)

const keyOf = ({ rowDate, rowId, occurrenceId }: Link) => `${rowDate} ${rowId} ${occurrenceId}`
