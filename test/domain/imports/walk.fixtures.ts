import { areComplete } from '../../../src/domain/imports/counts.ts'
import type { Random } from '../../support/random.ts'
import { AMOUNTS, Bank, type BankFile, dayAt, LAST_DAY, type Truth } from './bank.fixtures.ts'
import { Books, type Imported } from './books.fixtures.ts'

const CASH = 'Markt am Platz'

/** The books of somebody who knows what happened, and who answers what the import suggests. */
export class Walk {
  /** What is wrong, in words. */
  readonly flaws: string[] = []
  readonly books = new Books()
  readonly bank: Bank
  /** What each transaction was made from. */
  readonly truthOf = new Map<string, Truth>()
  /** What was paid in cash, by amount: no bank will ever tell of it. */
  readonly cash: number[] = []
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
    this.bank = new Bank(random)
  }

  /** Files, typing and deleting in any order; at last, the bank tells of everything. */
  run() {
    const { whole, pick, chance } = this.#random
    for (let step = whole(3, 12); step > 0; step -= 1) {
      const on = whole(3, LAST_DAY)
      const action = pick(['upload', 'upload', 'upload', 'type', 'delete'] as const)
      if (action === 'upload') {
        this.#upload(this.bank.download(on, whole(0, on - 2), chance(0.5)))
      } else if (action === 'type') {
        this.#typeSomething()
      } else {
        this.#deleteSomething()
      }
    }
    this.#seeAllOnce()
  }

  /** Imports a file, and the same file again. */
  #upload({ rows, coverage, truths }: BankFile): Imported {
    const piece = this.#random.pick([1, 3, 2_000])
    const imported = this.books.import(rows, {
      ...{ coverage, piece },
      decide: (decision) => this.#decide(decision, truths[decision.at] as Truth),
    })
    this.#note(imported, truths)
    const again = this.books.import(rows, { coverage, piece })
    this.#require('no row is new in the same file', again.counts.new === 0)
    this.#require('each row is counted', [imported, again].every(isComplete(rows.length)))
    return imported
  }

  /** Takes a suggestion where it is right, and no other. */
  #decide(decision: Imported['decisions'][number], truth: Truth) {
    const { suggestedMatchId } = decision
    const suggested = this.books.booked.find(({ id }) => id === suggestedMatchId)
    const isRight = suggested !== undefined && this.truthOf.get(suggested.id) === truth
    const isWaiting = suggested?.isPending === true || suggested?.from.length === 0
    return decision.verdict === 'new' && isRight && isWaiting
      ? { ...decision, verdict: 'updated' as const, matchedId: suggested.id }
      : decision
  }

  #note({ decisions, bookedAs }: Imported, truths: Truth[]) {
    const ids = bookedAs.filter((id) => id !== undefined)
    this.#require('no two rows of a file are one transaction', new Set(ids).size === ids.length)
    for (const { at, verdict } of decisions) {
      const id = bookedAs[at]
      if (verdict === 'new' && id !== undefined) {
        this.truthOf.set(id, truths[at] as Truth)
      }
    }
  }

  #require(what: string, holds: boolean) {
    if (!holds) {
      this.flaws.push(what)
    }
  }

  #typeSomething() {
    const { pick, whole, chance } = this.#random
    const truth = pick(this.bank.truths)
    if (chance(0.5)) {
      const cash = this.books.type(dayAt(truth.day + whole(-1, 1)), pick(AMOUNTS), CASH)
      this.cash.push(cash.minor)
    } else if (
      truth.minor < -10_000 &&
      truth.heldMinor === truth.minor &&
      ![...this.truthOf.values()].includes(truth)
    ) {
      const typed = this.books.type(dayAt(truth.day), truth.minor, truth.shop.toLowerCase())
      this.truthOf.set(typed.id, truth)
    }
  }

  /** Deletes something that was imported. It must not come back. */
  #deleteSomething() {
    const { pick } = this.#random
    const imported = this.books.booked.filter(({ from }) => from.at(-1)?.source.pending === false)
    if (imported.length > 0) {
      // Nobody can tell that a row with a new name is one of which no name is left.
      const states = this.bank.isRenaming
        ? ['inTrash' as const]
        : ['inTrash' as const, 'erased' as const]
      this.books.drop(pick(imported).id, pick(states))
    }
  }

  /** The bank tells of everything once more; then each thing that happened is there once. */
  #seeAllOnce() {
    const whole = { accountId: 'main', from: dayAt(0), through: dayAt(LAST_DAY) }
    const file = this.bank.download(LAST_DAY + 1, 0, false)
    const last = this.#upload({ ...file, coverage: [whole] })
    const booked = this.bank.truths.filter(({ bookedDay }) => bookedDay !== undefined)
    const expected = [...booked.map(({ minor }) => minor), ...this.cash]
    const there = this.books.booked.filter(({ isPending }) => !isPending)
    const amounts = there.map(({ minor }) => minor)
    this.#require(
      `there is ${sorted(expected)}, not ${sorted(amounts)}`,
      sorted(expected) === sorted(amounts),
    )
    // What was suggested, and taken, is booked by now.
    const pending = this.books.booked.filter(({ isPending }) => isPending).map(({ id }) => id)
    const vanished = last.outcome.vanished
      .map(({ transactionId = '' }) => transactionId)
      .filter((id) => pending.includes(id))
    const left = this.books.booked
      .filter(({ isPending, state }) => isPending && state === 'kept')
      .filter(({ date }) => date < dayAt(LAST_DAY - 3))
    const isTold = left.length === vanished.length && left.every(({ id }) => vanished.includes(id))
    this.#require('what never came is told', isTold)
  }
}

const sorted = (minors: number[]) => minors.toSorted((a, b) => a - b).join(' ')

const isComplete =
  (rows: number) =>
  ({ counts }: Imported) =>
    areComplete(counts) && counts.rows === rows
