import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, type CalendarDate, daysBetween, lastOfMonth } from '../../src/domain/calendar.ts'
import {
  type CardMovement,
  cardStatement,
  type CardTerms,
  cycleEnd,
  cycleStart,
  dueDateOf,
  statementDates,
} from '../../src/domain/cards.ts'

const TERMS: CardTerms = {
  statementDay: 18,
  dueDay: 10,
  dueAfterDays: null,
  dueWeekend: 'after',
  minimumPercent: '3',
  minimumAmountMinor: 2500,
}

const NOTHING = { balance: 0n, pending: 0n, payments: 0n, refunds: 0n, charges: 0n }
const charged = (day: CalendarDate, minor: bigint): CardMovement => ({
  ...{ ...NOTHING, day, balance: -minor, charges: minor },
})
const refunded = (day: CalendarDate, minor: bigint): CardMovement => ({
  ...{ ...NOTHING, day, balance: minor, refunds: minor },
})
const paid = (day: CalendarDate, minor: bigint): CardMovement => ({
  ...{ ...NOTHING, day, balance: minor, payments: minor },
})

describe('the cycle of a card', () => {
  it.each([
    [25, 15, '2025-12-26', '2026-01-25', '2026-02-15', '2026-02-16', 21],
    [5, 28, '2026-01-06', '2026-02-05', '2026-02-28', '2026-03-02', 23],
    [31, 20, '2026-02-01', '2026-02-28', '2026-03-20', '2026-03-20', 20],
    [31, 31, '2026-04-01', '2026-04-30', '2026-05-31', '2026-06-01', 31],
    [28, 28, '2026-01-29', '2026-02-28', '2026-03-28', '2026-03-30', 28],
    [20, 21, '2026-04-21', '2026-05-20', '2026-05-21', '2026-05-21', 1],
  ])(
    'of statement day %i and due day %i is %s to %s, due %s',
    (statementDay, dueDay, from, date, due, dueAfter, days) => {
      const terms = { ...TERMS, statementDay, dueDay }
      expect(cycleStart(statementDay, date)).toBe(from)
      expect(cycleEnd(statementDay, from)).toBe(date)
      expect(dueDateOf({ ...terms, dueWeekend: 'keep' }, date)).toBe(due)
      expect(dueDateOf(terms, date)).toBe(dueAfter)
      expect(daysBetween(date, due)).toBe(days)
    },
  )

  it('covers each day once, of every statement day in a leap year and a common one', () => {
    for (let statementDay = 1; statementDay <= 31; statementDay++) {
      const dates = statementDates(statementDay, '2024-01-01', '2025-12-31')
      expect(dates).toHaveLength(24)
      for (const [at, date] of dates.entries()) {
        const isLastDay = date === lastOfMonth(date)
        expect(isLastDay || Number(date.slice(8)) === statementDay).toBe(true)
        const previous = dates[at + 1]
        expect(cycleStart(statementDay, date)).toBe(
          previous === undefined ? cycleStart(statementDay, date) : addDays(previous, 1),
        )
        expect(cycleEnd(statementDay, date)).toBe(date)
        const dueDate = dueDateOf({ ...TERMS, statementDay, dueDay: statementDay }, date) ?? ''
        expect(daysBetween(date, dueDate)).toBeGreaterThanOrEqual(28)
      }
    }
  })

  it('has no statement before the first day, and starts with the first day that exists', () => {
    expect(statementDates(18, '2026-03-18', '2026-03-17')).toEqual([])
    expect(statementDates(18, '2026-03-19', '2026-05-17')).toEqual(['2026-04-18'])
    expect(cycleStart(18, '1900-01-18')).toBe('1900-01-01')
  })

  it.each([
    ['keep', '2026-05-23'],
    ['before', '2026-05-22'],
    ['after', '2026-05-25'],
  ] as const)('with weekend %s is due on %s, days after the statement', (dueWeekend, due) => {
    expect(dueDateOf({ ...TERMS, dueWeekend, dueAfterDays: 5 }, '2026-05-18')).toBe(due)
  })

  it('is never due before the statement, and not at all without a rule', () => {
    const terms: CardTerms = { ...TERMS, dueWeekend: 'before', dueAfterDays: 1 }
    expect(dueDateOf(terms, '2026-05-22')).toBe('2026-05-25')
    expect(dueDateOf(terms, '2026-05-23')).toBe('2026-05-25')
    expect(dueDateOf({ ...TERMS, dueDay: null }, '2026-05-22')).toBeUndefined()
  })
})

describe('a statement', () => {
  const movements = [
    charged('2026-03-01', 25000n),
    charged('2026-03-18', 15000n),
    charged('2026-03-20', 6000n),
    refunded('2026-03-20', 3500n),
    paid('2026-04-02', 10000n),
    paid('2026-04-08', 30000n),
    charged('2026-04-15', 8000n),
  ]

  it.each([
    ['2026-03-18', 0n, 40000n, 2500n, 0n, 0n, 'open'],
    ['2026-03-25', 0n, 40000n, 2500n, 3500n, 6000n, 'open'],
    ['2026-04-02', 10000n, 30000n, 0n, 3500n, 6000n, 'open'],
    ['2026-04-08', 40000n, 0n, 0n, 3500n, 6000n, 'paid'],
    ['2026-04-15', 40000n, 0n, 0n, 3500n, 14000n, 'paid'],
  ])(
    'on %s has %d paid and %d due',
    (today, paidMinor, amountDue, minimumDue, refunds, charges, state) => {
      const statement = cardStatement(TERMS, '2026-03-18', movements, today)
      expect(statement).toEqual({
        ...{ statementDate: '2026-03-18', from: '2026-02-19', dueDate: '2026-04-10' },
        ...{ statementBalance: 40000n, minimum: 2500n, paid: paidMinor },
        ...{ amountDue, minimumDue, refunds, charges, state },
      })
    },
  )

  it('is never due for more than is owed', () => {
    const statement = cardStatement(
      TERMS,
      '2026-03-18',
      [charged('2026-03-01', 40000n), refunded('2026-03-20', 35000n)],
      '2026-03-20',
    )
    expect(statement).toMatchObject({ statementBalance: 40000n, amountDue: 5000n })
  })

  it('leaves out what is pending, which the card still owes', () => {
    const pending = { ...charged('2026-03-02', 1000n), pending: -1000n }
    const statement = cardStatement(
      TERMS,
      '2026-03-18',
      [charged('2026-03-01', 2000n), pending],
      '2026-03-20',
    )
    expect(statement).toMatchObject({ statementBalance: 2000n, amountDue: 2000n })
  })

  it('is carried once the minimum is paid, and else overdue', () => {
    const stateOf = (terms: Partial<CardTerms>, minor: bigint) =>
      cardStatement(
        { ...TERMS, ...terms },
        '2026-03-18',
        [charged('2026-03-01', 40000n), paid('2026-03-19', minor)],
        '2026-04-11',
      ).state
    expect(stateOf({}, 2500n)).toBe('carried')
    expect(stateOf({}, 2499n)).toBe('overdue')
    expect(stateOf({ minimumPercent: null, minimumAmountMinor: null }, 2500n)).toBe('overdue')
    expect(stateOf({ dueDay: null }, 0n)).toBe('open')
  })

  it.each([
    ['10.25', null, 1025n],
    ['0.5', null, 50n],
    [null, 700, 700n],
    ['3', 700, 700n],
    ['8', 700, 800n],
    ['1', 99_999, 10_000n],
  ])('of 100.00 with %s percent and at least %d has a minimum', (percent, amount, minimum) => {
    const terms = { ...TERMS, minimumPercent: percent, minimumAmountMinor: amount }
    const statement = cardStatement(
      terms,
      '2026-03-18',
      [charged('2026-03-01', 10_000n)],
      '2026-03-18',
    )
    expect(statement.minimum).toBe(minimum)
  })

  it('is never negative, and its minimum is no more than what is due', () => {
    const day = fc.integer({ min: 0, max: 60 }).map((days) => addDays('2026-02-19', days))
    const movement = fc
      .tuple(fc.constantFrom(charged, refunded, paid), day, fc.bigInt({ min: 1n, max: 100_000n }))
      .map(([make, on, minor]) => make(on, minor))
    fc.assert(
      fc.property(fc.array(movement, { maxLength: 12 }), day, (some, today) => {
        const { statementBalance, amountDue, minimum, minimumDue } = cardStatement(
          TERMS,
          '2026-03-18',
          some,
          today,
        )
        expect(amountDue >= 0n && amountDue <= statementBalance).toBe(true)
        expect(minimumDue !== undefined && minimumDue >= 0n && minimumDue <= amountDue).toBe(true)
        expect(minimum !== undefined && minimum <= statementBalance).toBe(true)
      }),
    )
  })
})
