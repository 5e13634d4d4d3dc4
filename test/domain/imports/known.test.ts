import { describe, expect, test } from 'vitest'
import type { RowSketch } from './books.fixtures.ts'
import { Books, row, verdicts } from './books.fixtures.ts'

const id = (value: string, scheme = 'ofx') => ({ bankId: { scheme, id: value } })
const hotel = row('2026-03-10', '-100.00', 'HOTEL', id('77'))
const importing = (...files: RowSketch[][]) => {
  const books = new Books()
  const imported = files.map((file) => books.import(file))
  return { books, last: imported.at(-1)?.decisions ?? [], outcome: imported.at(-1)?.outcome }
}

describe('what became of the transaction decides why its row is a duplicate', () => {
  test.each([
    ['kept', 'sameRow', 't1'],
    ['inTrash', 'inTrash', 't1'],
    ['erased', 'erased', undefined],
    ['skipped', 'skipped', 't1'],
  ] as const)('%s: %s', (state, reason, matchedId) => {
    const books = new Books()
    const file = [row('2026-03-01', '-3.00', 'Coffee')]
    books.import(file)
    books.drop('t1', state)
    expect(books.import(file).decisions).toEqual([
      { at: 0, verdict: 'duplicate', reason, ...(matchedId ? { matchedId } : {}) },
    ])
  })

  test('by the bank id: sameId', () => {
    expect(importing([hotel], [hotel]).last).toMatchObject([{ reason: 'sameId' }])
  })

  test('a row that was mended in spite of its errors is known again', () => {
    const broken = { ...row('2026-03-01', '1.234', 'x'), raw: { Amount: '1,234' } }
    const books = new Books()
    expect(verdicts(books.import([broken]))).toEqual(['error'])
    const { rows, outcome } = books.preview([broken])
    const identity = { byText: 'x', occurrence: 1 }
    expect(outcome.identityOf(rows[0] as (typeof rows)[0], identity)).toBe('x')
    books.type('2026-03-01', 123, 'mended')
    books.remember('t1', broken)
    expect(verdicts(books.import([broken]))).toEqual(['duplicate'])
  })
})

describe('a pending row becomes a booked one', () => {
  const pending = row('2026-05-02', '-50.00', 'PIAZZA', { pending: true })

  test('under the same particulars', () => {
    const { books, last } = importing([pending], [{ ...pending, pending: false }])
    expect(last).toEqual([{ at: 0, verdict: 'updated', matchedId: 't1' }])
    expect(books.booked).toMatchObject([{ isPending: false }])
  })

  test('and stays pending while the file says so', () => {
    expect(importing([pending], [pending]).last).toMatchObject([{ verdict: 'duplicate' }])
  })

  test('a pending row of an older file is known when it is booked', () => {
    const booked = { ...pending, pending: false }
    expect(importing([booked], [pending]).last).toMatchObject([{ verdict: 'duplicate' }])
  })

  test('in the trash, it stays there', () => {
    const books = new Books()
    books.import([pending])
    books.drop('t1', 'inTrash')
    expect(books.import([{ ...pending, pending: false }]).decisions).toMatchObject([
      { verdict: 'duplicate', reason: 'inTrash' },
    ])
  })
})

describe('same id, other particulars', () => {
  const pending = { ...hotel, pending: true }

  test.each<[string, RowSketch, RowSketch, object]>([
    [
      'same amount, 3 days later: the same',
      hotel,
      { ...hotel, date: '2026-03-13' },
      { verdict: 'duplicate', reason: 'sameIdOtherDate', matchedId: 't1', remembers: true },
    ],
    [
      'same amount, 4 days later, another text: another one',
      hotel,
      { ...row('2026-03-14', '-100.00', 'GARAGE'), ...id('77') },
      { verdict: 'new' },
    ],
    [
      'same amount, 4 days later, same text: the same',
      hotel,
      { ...hotel, date: '2026-03-14' },
      { verdict: 'duplicate', reason: 'sameIdOtherDate' },
    ],
    [
      'same amount, stored pending: posted',
      pending,
      { ...hotel, date: '2026-03-14' },
      { verdict: 'updated', matchedId: 't1' },
    ],
    [
      'same amount, still pending: the same',
      pending,
      { ...pending, date: '2026-03-14' },
      { verdict: 'duplicate', reason: 'sameIdOtherDate' },
    ],
    [
      'other amount, stored pending: posted',
      pending,
      { ...hotel, amount: '-115.00' },
      { verdict: 'updated', matchedId: 't1' },
    ],
    [
      'other amount, still pending: changed',
      pending,
      { ...pending, amount: '-115.00' },
      { verdict: 'updated', matchedId: 't1' },
    ],
    [
      'other amount, stored booked: another one, and the ids lose their trust',
      hotel,
      { ...hotel, amount: '-3.00' },
      { verdict: 'new', warnings: ['idReused'] },
    ],
    [
      'other amount, pending in an old file: booked by now',
      { ...hotel, amount: '-115.00' },
      pending,
      { verdict: 'duplicate', reason: 'sameIdOtherDate' },
    ],
    [
      'same amount, 11 days later: another one, and the ids lose their trust',
      hotel,
      { ...hotel, date: '2026-03-21' },
      { verdict: 'new', warnings: ['idReused'] },
    ],
    [
      'the id of another scheme: another one',
      hotel,
      { ...hotel, ...id('77', 'camt'), date: '2026-03-11' },
      { verdict: 'new' },
    ],
    [
      'the id of another account: another one',
      hotel,
      { ...hotel, accountId: 'other', date: '2026-03-11' },
      { verdict: 'new' },
    ],
  ])('%s', (_, before, after, decision) => {
    expect(importing([before], [after]).last).toMatchObject([{ at: 0, ...decision }])
  })

  test('a deleted row stays deleted under its id', () => {
    const books = new Books()
    books.import([hotel])
    books.drop('t1', 'inTrash')
    expect(books.import([{ ...hotel, date: '2026-03-12' }]).decisions).toMatchObject([
      { verdict: 'duplicate', reason: 'inTrash', remembers: true },
    ])
  })

  test('a row that the file tells of is not taken for another one', () => {
    const later = { ...hotel, date: '2026-03-12' }
    expect(importing([hotel], [hotel, later]).last).toMatchObject([
      { verdict: 'duplicate' },
      { verdict: 'new' },
    ])
    expect(importing([hotel], [later, hotel]).last).toMatchObject([
      { verdict: 'new' },
      { verdict: 'duplicate' },
    ])
  })

  test('a stored row is taken once, by the nearest', () => {
    const two = [
      { ...hotel, date: '2026-03-13' },
      { ...hotel, date: '2026-03-11' },
    ]
    expect(importing([hotel], two).last).toMatchObject([
      { verdict: 'new' },
      { verdict: 'duplicate', reason: 'sameIdOtherDate' },
    ])
  })
})

describe('trust in bank ids', () => {
  const days = (date: string) => ({ ...hotel, date })

  test.each<[string, RowSketch[], boolean]>([
    ['one id beside two amounts', [hotel, { ...hotel, amount: '-3.00' }], true],
    ['equal amounts 11 days apart', [hotel, days('2026-03-21')], true],
    ['equal amounts 10 days apart', [days('2026-03-20'), hotel], false],
    ['equal amounts on one day', [hotel, hotel], false],
    [
      'a pending row of another amount',
      [hotel, { ...hotel, amount: '-3.00', pending: true }],
      false,
    ],
    ['another account', [hotel, { ...hotel, amount: '-3.00', accountId: 'other' }], false],
    ['another scheme', [hotel, { ...hotel, amount: '-3.00', ...id('77', 'camt') }], false],
  ])('%s: lost %s', (_, file, isLost) => {
    const { outcome } = importing(file)
    expect(outcome?.reused.length).toBe(isLost ? 1 : 0)
  })

  test('an untrusted scheme stays so in later files, and says so once', () => {
    const { books, outcome } = importing(
      [hotel, { ...hotel, amount: '-3.00' }],
      [days('2026-04-20')],
    )
    expect(outcome?.reused).toEqual([])
    expect(books.identities.map(({ identity }) => identity[0])).toEqual(['f', 'f', 'f'])
  })

  test('ten ids are told', () => {
    const file = Array.from({ length: 12 }, (_, index) => [
      { ...hotel, ...id(`${index}`) },
      { ...hotel, ...id(`${index}`), amount: '-3.00' },
    ]).flat()
    expect(importing(file).outcome?.reused[0]?.ids).toHaveLength(10)
  })
})

describe('transactions that have the bank id as externalId', () => {
  const stored = (date: string, minor: number) => {
    const books = new Books()
    books.type(date, minor, 'by the API', { externalId: '77' })
    return books
  }

  test.each([
    ['2026-03-10', -10_000, 'duplicate'],
    ['2026-03-20', -10_000, 'duplicate'],
    ['2026-03-21', -10_000, 'new'],
    ['2026-03-10', -9_999, 'new'],
  ])('of %s and %i: %s', (date, minor, verdict) => {
    expect(stored(date, minor).import([hotel]).decisions[0]?.verdict).toBe(verdict)
  })

  test('are compared with more care once a file has told of them', () => {
    const books = stored('2026-03-10', -10_000)
    books.import([hotel])
    const taxi = row('2026-03-15', '-100.00', 'TAXI', id('77'))
    expect(verdicts(books.import([taxi]))).toEqual(['new'])
  })

  test('are taken once', () => {
    const { decisions } = stored('2026-03-10', -10_000).import([hotel, hotel])
    expect(decisions).toEqual([
      { at: 0, verdict: 'duplicate', reason: 'externalId', matchedId: 't1', remembers: true },
      { at: 1, verdict: 'new' },
    ])
  })
})

describe('corrections', () => {
  const correct = (action: 'replace' | 'delete', amount = '-90.00') => ({
    ...row('2026-03-12', amount, 'HOTEL CORRECTED', id('78')),
    correction: { action, id: '77' },
  })

  test.each(['replace', 'delete'] as const)('%s updates the stored row', (action) => {
    const { books, last } = importing([hotel], [correct(action)])
    expect(last).toEqual([{ at: 0, verdict: 'updated', matchedId: 't1' }])
    expect(books.booked).toHaveLength(1)
    expect(books.import([correct(action)]).counts.duplicate).toBe(1)
  })

  test('a row of the same file gives way to its correction', () => {
    const original = { at: 0, verdict: 'ignored', reason: 'deleted', partnerAt: 1 }
    expect(importing([hotel, correct('replace')]).last).toEqual([
      original,
      { at: 1, verdict: 'new' },
    ])
    expect(importing([hotel, correct('delete')]).last).toEqual([
      original,
      { at: 1, verdict: 'ignored', reason: 'deleted' },
    ])
  })

  test.each(['replace', 'delete'] as const)(
    'a file with a row and its %s comes again',
    (action) => {
      const { books, last } = importing([hotel, correct(action)], [hotel, correct(action)])
      expect(last.map(({ verdict }) => verdict)).not.toContain('new')
      expect(books.booked).toHaveLength(action === 'replace' ? 1 : 0)
    },
  )

  describe('of a correction', () => {
    const again = (action: 'replace' | 'delete') => ({
      ...row('2026-03-14', '-80.00', 'HOTEL AT LAST', id('79')),
      correction: { action, id: '78' },
    })
    const orders = [
      [0, 1],
      [1, 0],
    ]

    test.each(['replace', 'delete'] as const)('in the same file, a %s stands alone', (action) => {
      for (const order of orders) {
        const file = order.map((at) => [correct('replace'), again(action)][at] as RowSketch)
        const { books, last } = importing([hotel], file)
        expect(last.toSorted((a, b) => a.verdict.localeCompare(b.verdict))).toMatchObject([
          { verdict: 'ignored', reason: 'deleted' },
          { verdict: 'updated', matchedId: 't1' },
        ])
        expect(verdicts(books.import(file)).toSorted()).toEqual(['duplicate', 'ignored'])
        expect(verdicts(books.import([hotel, ...file])).toSorted()).toEqual([
          ...['duplicate', 'duplicate', 'ignored'],
        ])
        expect(books.booked).toHaveLength(1)
      }
    })

    test.each([
      ['replace', 'new', 1],
      ['delete', 'ignored', 0],
    ] as const)('in one file with what it corrects, a %s is %s', (action, verdict, booked) => {
      const file = [hotel, correct('replace'), again(action)]
      const { books, last } = importing(file)
      expect(last.map((one) => one.verdict)).toEqual(['ignored', 'ignored', verdict])
      expect(verdicts(books.import(file))).not.toContain('new')
      expect(books.booked).toHaveLength(booked)
    })

    test('in a later file, it changes what the first one changed', () => {
      const { last } = importing([hotel], [correct('replace')], [again('replace')])
      expect(last).toMatchObject([{ verdict: 'updated', matchedId: 't1' }])
    })

    const twice = (action: 'replace' | 'delete', day = '2026-03-12') => ({
      ...row(day, '-70.00', 'HOTEL TWICE', id('79')),
      correction: { action, id: '77' },
    })
    const early = row('2026-03-01', '-1.00', 'early')

    test.each<[string, RowSketch, RowSketch, RowSketch[]]>([
      ['the later day', twice('replace', '2026-03-14'), correct('replace'), []],
      ['the row below', twice('replace'), correct('replace'), [early]],
      ['a deletion, whatever its day', twice('delete', '2026-03-11'), correct('replace'), []],
    ])('of one row, two of a file are one: %s', (_, last, other, before) => {
      for (const [stored, verdict] of [
        [[hotel], 'updated'],
        [[], last.correction?.action === 'delete' ? 'ignored' : 'new'],
      ] as const) {
        const found = importing([...stored], [...before, other, last]).last.slice(before.length)
        expect(found).toMatchObject([
          { verdict: 'ignored', reason: 'deleted', partnerAt: before.length + 1 },
          { verdict },
        ])
      }
    })

    test('of one row, on one day of a file with the newest first, the upper one counts', () => {
      expect(importing([hotel], [twice('replace'), correct('replace'), early]).last).toMatchObject([
        ...[{ verdict: 'updated' }, { verdict: 'ignored', partnerAt: 0 }, { verdict: 'new' }],
      ])
    })

    test('of an erased row, two of a file are one', () => {
      const books = new Books()
      books.import([hotel])
      books.drop('t1', 'erased')
      expect(verdicts(books.import([correct('replace'), twice('replace')]))).toEqual([
        ...['ignored', 'duplicate'],
      ])
    })

    test('of each other, two are ignored', () => {
      const other = { ...hotel, correction: { action: 'replace' as const, id: '78' } }
      const third = { ...again('delete'), correction: { action: 'delete' as const, id: '77' } }
      const { books, last } = importing([other, correct('replace'), third])
      expect(last.map(({ verdict }) => verdict)).toEqual(['ignored', 'ignored', 'ignored'])
      expect(books.booked).toEqual([])
    })
  })

  test('of a row that is not there: a replacement is new, a deletion nothing', () => {
    expect(importing([correct('replace')]).last).toEqual([{ at: 0, verdict: 'new' }])
    expect(importing([correct('delete')]).last).toMatchObject([{ verdict: 'ignored' }])
  })

  test('beside other rows', () => {
    const plain = row('2026-03-12', '-1.00', 'plain')
    expect(importing([plain, hotel, correct('replace')]).last).toMatchObject([
      ...[{ verdict: 'new' }, { verdict: 'ignored', partnerAt: 2 }, { verdict: 'new' }],
    ])
  })

  test('of a row in the trash: it stays there', () => {
    const books = new Books()
    books.import([hotel])
    books.drop('t1', 'inTrash')
    expect(books.import([correct('replace')]).decisions).toMatchObject([
      { verdict: 'duplicate', reason: 'inTrash' },
    ])
  })

  test('without an id of its own, a row corrects nothing', () => {
    const { bankId: _, ...rest } = correct('replace')
    expect(importing([hotel], [rest]).last).toEqual([{ at: 0, verdict: 'new' }])
  })
})

test('a locked row that is known is a duplicate all the same', () => {
  const books = new Books()
  const file = [row('2026-02-01', '-3.00', 'Coffee')]
  books.import(file)
  const more = [...file, row('2026-02-02', '-3.00', 'Coffee')]
  expect(verdicts(books.import(more, { lockedThrough: '2026-02-28' }))).toEqual([
    ...['duplicate', 'locked'],
  ])
})
