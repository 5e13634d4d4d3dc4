import { describe, expect, test } from 'vitest'
import type { MatchingMode } from '../../../src/domain/imports/matching.ts'
import { type Booked, Books, row, type RowSketch, verdicts } from './books.fixtures.ts'

const MARCH = [{ accountId: 'main', from: '2026-03-01', through: '2026-03-31' }]
const CASH = { id: 'cash', name: 'A', currency: 'EUR' }
const BOX = { id: 'box', name: 'Holiday box', currency: 'EUR' }
const SAVINGS = { id: 'savings', name: 'Savings', currency: 'EUR', lastFour: '4711' }

/** What is said of the only row of a file, next to the only typed transaction. */
function beside(
  typed: [date: string, minor: number, text: string, more?: Partial<Booked>],
  sketch: RowSketch,
  matching: MatchingMode = 'usual',
) {
  const books = new Books(SAVINGS, CASH, BOX)
  books.type(...typed)
  return books.preview([sketch], { matching }).decisions[0]
}

describe('typed rows', () => {
  test.each([
    ['the same day', '2026-03-15', 0.85, 'matched'],
    ['1 day before', '2026-03-14', 0.82, 'matched'],
    ['5 days before', '2026-03-10', 0.7, 'matched'],
    ['6 days before', '2026-03-09', 0.67, 'new'],
    ['10 days before', '2026-03-05', 0.55, 'new'],
    ['11 days before', '2026-03-04', undefined, 'new'],
    ['3 days after', '2026-03-18', 0.76, 'matched'],
    ['4 days after', '2026-03-19', undefined, 'new'],
  ])('%s', (_, date, score, verdict) => {
    const decision = beside([date, -300, 'coffee'], row('2026-03-15', '-3.00', 'COFFEE'))
    expect(decision).toMatchObject({ verdict })
    expect(decision?.score).toBe(score)
  })

  test.each<[string, Parameters<typeof beside>[0], RowSketch, number, string[]]>([
    [
      'no word in common',
      ['2026-03-15', -300, 'lunch'],
      row('2026-03-15', '-3.00', 'COFFEE'),
      0.65,
      ['sameAmount', 'sameDay'],
    ],
    [
      'half of the words of the shorter text',
      ['2026-03-15', -300, 'coffee cake'],
      row('2026-03-15', '-3.00', 'COFFEE LOUNGE CARD 123'),
      0.75,
      ['sameAmount', 'sameDay', 'sameText'],
    ],
    [
      'the same payee',
      ['2026-03-15', -300, 'lunch', { payeeId: 'pay_1' }],
      row('2026-03-15', '-3.00', 'COFFEE', { payeeId: 'pay_1' }),
      0.8,
      ['sameAmount', 'sameDay', 'samePayee'],
    ],
    [
      'the same cheque number',
      ['2026-03-15', -300, 'rent', { number: '1042' }],
      row('2026-03-15', '-3.00', 'CHQ', { metadata: { checkNumber: '1042' } }),
      0.8,
      ['sameAmount', 'sameDay', 'sameNumber'],
    ],
    [
      'half of a transfer with the account that the row names',
      ['2026-03-15', 300, '', { otherAccountId: 'savings' }],
      row('2026-03-15', '3.00', 'COFFEE', { counterAccount: 'DE02 1203 4711' }),
      0.95,
      ['sameAmount', 'sameDay', 'counterIban'],
    ],
    [
      'half of a transfer with the account that the source tells',
      ['2026-03-15', 300, '', { otherAccountId: 'savings' }],
      row('2026-03-15', '3.00', 'COFFEE', { transferAccountId: 'savings' }),
      0.95,
      ['sameAmount', 'sameDay', 'counterIban'],
    ],
    [
      'half of a transfer, whatever it was called',
      ['2026-03-15', 300, 'for a rainy day', { otherAccountId: 'savings' }],
      row('2026-03-14', '3.00', 'STANDING'),
      0.72,
      ['sameAmount', 'closeDays', 'uncategorised'],
    ],
    [
      'half of a transfer, and the row says so',
      ['2026-03-10', 300, '', { otherAccountId: 'savings' }],
      row('2026-03-15', '3.00', 'TRANSFER FROM SAVINGS', { category: ['Savings'] }),
      0.8,
      ['sameAmount', 'mentionsTransfer', 'mentionsAccount'],
    ],
    [
      'half of a transfer, and the row names a third account',
      ['2026-03-15', 300, '', { otherAccountId: 'savings' }],
      row('2026-03-15', '3.00', 'TRANSFER TO HOLIDAY BOX'),
      0.65,
      ['sameAmount', 'sameDay'],
    ],
    [
      'half of a transfer days apart, and the row says nothing',
      ['2026-03-12', 300, '', { otherAccountId: 'savings' }],
      row('2026-03-15', '3.00', 'AMAZON'),
      0.66,
      ['sameAmount', 'uncategorised'],
    ],
    [
      'half of a transfer with an account whose number nobody knows',
      ['2026-03-15', 300, '', { otherAccountId: 'cash' }],
      row('2026-03-15', '3.00', 'COFFEE', { counterAccount: 'DE02 1203 4711' }),
      0.75,
      ['sameAmount', 'sameDay', 'uncategorised'],
    ],
    [
      'half of a transfer with another account than the row names',
      ['2026-03-15', 300, '', { otherAccountId: 'savings' }],
      row('2026-03-15', '3.00', 'COFFEE', { counterAccount: 'DE02 1203 4712' }),
      0.65,
      ['sameAmount', 'sameDay'],
    ],
    [
      'half of a transfer with another account than the source tells',
      ['2026-03-15', 300, '', { otherAccountId: 'savings' }],
      row('2026-03-15', '3.00', 'COFFEE', { transferAccountId: 'cash' }),
      0.65,
      ['sameAmount', 'sameDay'],
    ],
    [
      'half of a transfer with an account that nobody sees',
      ['2026-03-15', 300, '', { otherAccountId: 'elsewhere' }],
      row('2026-03-15', '3.00', 'COFFEE'),
      0.75,
      ['sameAmount', 'sameDay', 'uncategorised'],
    ],
    [
      'half of a transfer with an account that is not there',
      ['2026-03-15', 300, '', { otherAccountId: 'elsewhere' }],
      row('2026-03-15', '3.00', 'COFFEE', { counterAccount: 'DE02 1203 4711' }),
      0.65,
      ['sameAmount', 'sameDay'],
    ],
    [
      'everything at once is certain',
      ['2026-03-15', -300, 'coffee', { payeeId: 'pay_1', number: '1042' }],
      row('2026-03-15', '-3.00', 'COFFEE', { payeeId: 'pay_1', metadata: { reference: '1042' } }),
      1,
      ['sameAmount', 'sameDay', 'sameText', 'samePayee', 'sameNumber'],
    ],
  ])('%s', (_, typed, sketch, score, reasons) => {
    expect(beside(typed, sketch)).toMatchObject({
      ...{ verdict: score >= 0.7 ? 'matched' : 'new', score, reasons },
      ...(score >= 0.7 ? { matchedId: 't1' } : { suggestedMatchId: 't1' }),
    })
  })

  test.each([
    ['another amount', -301, 'main'],
    ['the opposite amount', 300, 'main'],
    ['another account', -300, 'savings'],
  ])('%s is no candidate', (_, minor, accountId) => {
    const typed = ['2026-03-15', minor, 'coffee', { accountId }] as const
    expect(beside([...typed], row('2026-03-15', '-3.00', 'COFFEE'))).toEqual({
      ...{ at: 0, verdict: 'new' },
    })
  })
})

describe('the setting', () => {
  const coffee = row('2026-03-15', '-3.00', 'COFFEE')

  test('strict asks for 0.85', () => {
    expect(beside(['2026-03-15', -300, 'coffee'], coffee, 'strict')?.verdict).toBe('matched')
    expect(beside(['2026-03-14', -300, 'coffee'], coffee, 'strict')).toMatchObject({
      ...{ verdict: 'new', suggestedMatchId: 't1', score: 0.82 },
    })
  })

  test('never matches and suggests nothing', () => {
    expect(beside(['2026-03-15', -300, 'coffee'], coffee, 'never')).toEqual({
      ...{ at: 0, verdict: 'new' },
    })
  })
})

describe('several that are alike', () => {
  const coffees = (...dates: string[]) => dates.map((date) => row(date, '-3.00', 'COFFEE'))
  const typing = (...dates: string[]) => {
    const books = new Books()
    dates.forEach((date) => books.type(date, -300, 'coffee'))
    return books
  }

  test('the next one must be 0.10 worse, for the row', () => {
    const near = typing('2026-03-15', '2026-03-12').preview(coffees('2026-03-15'))
    expect(near.decisions).toMatchObject([{ verdict: 'new', suggestedMatchId: 't1', score: 0.85 }])
    const far = typing('2026-03-15', '2026-03-11').preview(coffees('2026-03-15'))
    expect(far.decisions).toMatchObject([{ verdict: 'matched', matchedId: 't1' }])
  })

  test('and for the typed one', () => {
    const near = typing('2026-03-15').preview(coffees('2026-03-15', '2026-03-16'))
    expect(verdicts(near)).toEqual(['new', 'new'])
    const far = typing('2026-03-15').preview(coffees('2026-03-15', '2026-03-19'))
    expect(verdicts(far)).toEqual(['matched', 'new'])
  })

  test('one that is matched itself is no rival', () => {
    const dates = ['2026-03-15', '2026-03-16', '2026-03-17']
    expect(verdicts(typing(...dates).preview(coffees(...dates)))).toEqual([
      ...['matched', 'matched', 'matched'],
    ])
  })

  test('the same in date, amount and text pair in order', () => {
    const books = typing('2026-03-15', '2026-03-15')
    const three = books.preview(coffees('2026-03-15', '2026-03-15', '2026-03-15'))
    expect(three.decisions).toMatchObject([
      { verdict: 'matched', matchedId: 't1' },
      { verdict: 'matched', matchedId: 't2' },
      { verdict: 'new' },
    ])
    expect(books.preview(coffees('2026-03-15')).decisions).toMatchObject([{ matchedId: 't1' }])
  })

  test('the best pair goes first', () => {
    const books = new Books()
    books.type('2026-03-15', -300, 'tea')
    books.type('2026-03-15', -300, 'coffee', { payeeId: 'pay_1' })
    const { decisions } = books.preview([
      row('2026-03-15', '-3.00', 'TEA'),
      row('2026-03-15', '-3.00', 'COFFEE', { payeeId: 'pay_1' }),
    ])
    expect(decisions).toMatchObject([{ matchedId: 't1' }, { matchedId: 't2', score: 1 }])
  })
})

describe('rows that the bank renamed', () => {
  const stored = (date: string) => {
    const books = new Books()
    books.import([row(date, '-20.00', 'AMAZON')])
    return books
  }
  const renamed = row('2026-03-10', '-20.00', 'AMZN')

  test.each([
    ['2026-03-10', 'matched'],
    ['2026-03-11', 'matched'],
    ['2026-03-12', 'new'],
    ['2026-03-13', 'new'],
  ])('stored on %s: %s', (date, verdict) => {
    const [decision] = stored(date).preview([renamed], { coverage: MARCH }).decisions
    expect(decision?.verdict).toBe(verdict)
    expect(decision?.suggestedMatchId).toBe(verdict === 'new' ? 't1' : undefined)
  })

  test('in a report on a day that a statement told of', () => {
    const books = stored('2026-03-10')
    expect(verdicts(books.preview([renamed], { stated: MARCH }))).toEqual(['matched'])
    const april = [{ accountId: 'main', from: '2026-04-01', through: '2026-04-30' }]
    expect(verdicts(books.preview([renamed], { stated: april }))).toEqual(['new'])
  })

  test('4 days apart, outside of the coverage, or on the edge of the file: no candidate', () => {
    const plain = { at: 0, verdict: 'new' }
    expect(stored('2026-03-14').preview([renamed], { coverage: MARCH }).decisions).toEqual([plain])
    const march = [{ ...MARCH[0], accountId: 'main', from: '2026-03-11', through: '2026-03-31' }]
    expect(stored('2026-03-10').preview([renamed], { coverage: march }).decisions).toEqual([plain])
    expect(stored('2026-03-10').preview([renamed]).decisions).toEqual([plain])
    const around = [row('2026-03-01', '1.00', 'a'), renamed, row('2026-03-31', '1.00', 'b')]
    expect(stored('2026-03-10').preview(around).decisions[1]?.verdict).toBe('matched')
    const twoDays = [row('2026-03-09', '1.00', 'a'), renamed]
    expect(stored('2026-03-10').preview(twoDays).decisions[1]).toEqual({ at: 1, verdict: 'new' })
  })

  test('statements that follow each other cover the days of all', () => {
    const coverage = ['2026-03-11', '2026-03-09', '2026-03-10', '2026-03-20'].map((day) => ({
      ...{ accountId: 'main', from: day, through: day },
    }))
    const more = [...coverage, { accountId: 'main', from: '2026-03-09', through: '2026-03-09' }]
    const { decisions } = stored('2026-03-10').preview([renamed], { coverage: more })
    expect(decisions[0]?.verdict).toBe('matched')
  })

  test('every day the same amount, all renamed: each is found', () => {
    const days = ['2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13']
    const books = new Books()
    books.import(days.map((date) => row(date, '1.23', 'INTEREST')))
    const more = [...days, '2026-03-14'].map((date) => row(date, '1.23', 'Int. paid'))
    const { counts } = books.import(more, { coverage: MARCH })
    expect(counts).toMatchObject({ matched: 4, new: 1 })
    expect(books.booked).toHaveLength(5)
  })

  test('deleted ones stay deleted under the new name', () => {
    for (const state of ['inTrash', 'erased', 'skipped'] as const) {
      const books = stored('2026-03-10')
      books.drop('t1', state)
      expect(books.preview([renamed], { coverage: MARCH }).decisions).toMatchObject([
        { verdict: 'duplicate', reason: state, remembers: true },
      ])
    }
  })

  test('deleted ones are not suggested', () => {
    const books = stored('2026-03-12')
    books.drop('t1', 'inTrash')
    const [decision] = books.preview([renamed], { coverage: MARCH }).decisions
    expect(decision).toMatchObject({ verdict: 'new', score: 0.69 })
    expect(decision).not.toHaveProperty('suggestedMatchId')
  })

  test('a row under two names is one candidate, and none where the file tells of either', () => {
    const books = stored('2026-03-10')
    books.import([renamed], { coverage: MARCH })
    const third = row('2026-03-10', '-20.00', 'Amazon EU')
    expect(books.preview([third], { coverage: MARCH }).counts.matched).toBe(1)
    expect(books.preview([third, third], { coverage: MARCH }).counts).toMatchObject({ new: 1 })
    expect(verdicts(books.preview([renamed, third], { coverage: MARCH }))).toEqual([
      ...['duplicate', 'new'],
    ])
  })
})

describe('pending rows', () => {
  const pendingOn = (date: string, amount = '-50.00', text = 'LA PIAZZA') => {
    const books = new Books()
    books.import([row(date, amount, text, { pending: true })])
    return books
  }
  const posted = row('2026-05-15', '-50.00', 'PIAZZA ROMA')

  test.each([
    ['2026-05-10', 'updated', 0.7],
    ['2026-05-14', 'updated', 0.82],
    ['2026-05-16', 'updated', 0.82],
    ['2026-05-05', 'new', 0.55],
    ['2026-05-17', 'new', undefined],
    ['2026-05-04', 'new', undefined],
  ])('pending on %s: %s', (date, verdict, score) => {
    const [decision] = pendingOn(date).preview([posted]).decisions
    expect(decision?.verdict).toBe(verdict)
    expect(decision?.score).toBe(score)
  })

  test('in the trash, it does not take what is booked later with it', () => {
    const books = pendingOn('2026-05-14')
    books.drop('t1', 'inTrash')
    expect(books.preview([posted]).decisions).toEqual([{ at: 0, verdict: 'new' }])
  })

  test('pending under another name stays pending', () => {
    const renamed = row('2026-05-02', '-50.00', 'PIAZZA 24', { pending: true })
    expect(verdicts(pendingOn('2026-05-02').preview([renamed]))).toEqual(['matched'])
  })

  test.each([
    ['-65.00', 't1'],
    ['-65.01', undefined],
    ['-35.00', 't1'],
    ['-34.99', undefined],
    ['50.00', undefined],
  ])('of 50.00, %s is suggested: %s', (amount, id) => {
    const changed = row('2026-05-15', amount, 'LA PIAZZA')
    const [decision] = pendingOn('2026-05-14').preview([changed]).decisions
    expect(decision?.verdict).toBe('new')
    expect(decision?.suggestedMatchId).toBe(id)
  })

  test('less than half of the words say nothing, the same payee does', () => {
    const changed = (payeeId: string) => row('2026-05-15', '-55.00', 'FUEL STOP', { payeeId })
    const books = new Books()
    books.import([row('2026-05-14', '-50.00', 'SHOP', { pending: true, payeeId: 'pay_1' })])
    expect(books.preview([changed('pay_2')]).decisions).toEqual([{ at: 0, verdict: 'new' }])
    expect(books.preview([changed('pay_1')]).decisions).toMatchObject([
      { verdict: 'new', suggestedMatchId: 't1', score: 0.37 },
    ])
  })

  test('the likeliest of several is suggested', () => {
    const books = pendingOn('2026-05-10', '-49.00')
    books.import([row('2026-05-14', '-52.00', 'LA PIAZZA', { pending: true })])
    expect(books.preview([posted]).decisions).toMatchObject([{ suggestedMatchId: 't2' }])
  })

  test.each([
    ['2026-05-02', '2026-05-06', true],
    ['2026-05-02', '2026-05-05', false],
    ['2026-04-30', '2026-05-06', false],
  ])('of %s, in a file through %s, vanished: %s', (date, through, isTold) => {
    const books = pendingOn(date)
    const coverage = [{ accountId: 'main', from: '2026-05-01', through }]
    const other = row('2026-05-03', '1.00', 'x')
    const { outcome } = books.import([other], { coverage, vanished: 'trash' })
    expect(outcome.vanished.map(({ transactionId }) => transactionId)).toEqual(isTold ? ['t1'] : [])
    expect(books.booked[0]?.state).toBe(isTold ? 'inTrash' : 'kept')
  })
})
