import { addDays } from '../../../src/domain/calendar.ts'
import { formatMoney } from '../../../src/domain/money.ts'
import type { CoveredDays } from '../../../src/domain/imports/verdicts.ts'
import type { Random } from '../../support/random.ts'
import type { RowSketch } from './books.fixtures.ts'

const FIRST = '2026-03-01'
export const LAST_DAY = 60
export const dayAt = (day: number): string => addDays(FIRST, day)

/** Something that happened: a row of the bank, now or later. */
export interface Truth {
  id: number
  day: number
  /** Absent where the shop never took the money. */
  bookedDay?: number
  minor: number
  /** What the shop asked for before the tip. */
  heldMinor: number
  shop: string
}

export interface BankFile {
  rows: RowSketch[]
  coverage: CoveredDays[]
  /** The truth of each row, by its position. */
  truths: Truth[]
}

const SHOPS = ['KIOSK', 'BAKERY SCHMIDT', 'AMAZON', 'METRO TICKETS', 'INTEREST']
const OTHER_NAMES = ['Kkiosq 24', 'Brot und mehr', 'AMZN Mktp', 'Verkehrsverein', 'Int paid']
/** Few amounts, so that many rows are alike. */
export const AMOUNTS = [-300, -300, -300, -250, -1200, 123]

export class Bank {
  readonly truths: Truth[]
  readonly #chance: Random
  readonly #ids: 'none' | 'own' | 'reused'
  /** The day from which on the bank writes names in another way, in all of its files. */
  readonly #renamedOn: number
  readonly #style: 'other' | 'longer'
  /** The newest day of a download. */
  #newest = 0

  constructor(chance: Random) {
    const { whole, pick } = chance
    this.#chance = chance
    this.#ids = pick(['none', 'none', 'own', 'reused'] as const)
    this.#renamedOn = pick([LAST_DAY + 9, whole(5, LAST_DAY)])
    this.#style = pick(['other', 'longer'] as const)
    this.truths = Array.from({ length: whole(10, 60) }, (_, id) => this.#happens(id))
  }

  get isRenaming(): boolean {
    return this.#renamedOn <= LAST_DAY
  }

  #happens(id: number): Truth {
    const { whole, pick } = this.#chance
    const day = whole(0, LAST_DAY - 5)
    const kind = pick(['plain', 'plain', 'plain', 'plain', 'typed', 'tip', 'cancelled'] as const)
    const isOwnAmount = kind === 'typed' || kind === 'tip'
    const minor = isOwnAmount ? -(20_000 + 1_000 * id) : pick(AMOUNTS)
    return {
      ...{ id, day, minor, shop: pick(SHOPS) },
      heldMinor: kind === 'tip' ? Math.round(minor * 0.87) : minor,
      ...(kind === 'cancelled' ? {} : { bookedDay: day + whole(0, 3) }),
    }
  }

  /** What one downloads on a day: from some days before, with or without what is pending. */
  download(on: number, from: number, withPending: boolean): BankFile {
    const { pick, whole } = this.#chance
    const isStatement = this.isRenaming || pick([true, false])
    // What is booked on the day of the download comes in part only; a statement ends the day before.
    const through = isStatement ? on - 1 : on
    const booked = this.truths
      .filter(({ bookedDay = -1 }) => bookedDay >= from && bookedDay <= through)
      .toSorted((a, b) => (a.bookedDay ?? 0) - (b.bookedDay ?? 0) || a.id - b.id)
    const ofToday = booked.filter(({ bookedDay }) => bookedDay === on).length
    const told = booked.slice(0, booked.length - (isStatement ? 0 : whole(0, ofToday)))
    const isDone = new Set(told)
    this.#newest = Math.max(this.#newest, on)
    const pending = this.truths.filter((truth) => {
      const { day, bookedDay = day + 5 } = truth
      // Under another name, or in an old file, nobody could tell which pending row became which booked one.
      const isUnclear = this.isRenaming && (this.#style === 'other' || on < this.#newest)
      const isTold = withPending && !isUnclear
      return isTold && day <= on && on <= bookedDay && !isDone.has(truth)
    })
    const inOrder = pick([told, told.toReversed()])
    return {
      truths: [...inOrder, ...pending],
      rows: [
        ...inOrder.map((truth) => this.#row(truth, on, false)),
        ...pending.map((truth) => this.#row(truth, on, true)),
      ],
      coverage:
        isStatement && from <= through
          ? [{ accountId: 'main', from: dayAt(from), through: dayAt(through) }]
          : [],
    }
  }

  #row({ id, day, bookedDay = day, minor, heldMinor, shop }: Truth, on: number, pending: boolean) {
    const names = on >= this.#renamedOn && this.#style === 'other' ? OTHER_NAMES : SHOPS
    const name = names[SHOPS.indexOf(shop)] ?? shop
    const text = on >= this.#renamedOn && this.#style === 'longer' ? `CARD 4711 ${name} MAR` : name
    const bankId = {
      none: undefined,
      own: `id-${id}`,
      // Numbers that start anew each month.
      reused: pending ? undefined : `${dayAt(bookedDay).slice(8)}${this.#number(id, bookedDay)}`,
    }[this.#ids]
    return {
      date: dayAt(pending ? day : bookedDay),
      amount: formatMoney(pending ? heldMinor : minor, 'EUR'),
      ...{ text, description: text, pending },
      ...(bankId === undefined ? {} : { bankId: { scheme: 'csv:reference', id: bankId } }),
    }
  }

  /** The number of a row among those that are booked on its day. */
  #number(id: number, day: number): number {
    return this.truths.filter((one) => one.bookedDay === day && one.id < id).length
  }
}
