import { describe, expect, it } from 'vitest'
import {
  isSameLabels,
  labelsFrom,
  labelsOf,
  NO_LABELS,
} from '../../../src/ledger/labels/labels.rules.ts'
import {
  labelsAfter,
  labelsInRequest,
} from '../../../src/areas/money/transactions/labels/labels.rules.ts'
import { singleEntries } from '../../../src/domain/ledger.ts'

const leg = {
  accountId: 'acc',
  ownerId: 'usr',
  currency: 'EUR',
  status: 'cleared' as const,
  externalId: null,
}

/** The entries of an expense with parts on these lines; without a number on the next free one. */
const entriesOn = (...lines: (number | undefined)[]) =>
  singleEntries({
    kind: 'expense',
    leg,
    date: '2026-11-20',
    signedMinor: -Math.max(lines.length, 1),
    categoryId: null,
    splits: lines.map((line) => ({ line, amountMinor: 1, categoryId: null, note: null })),
  })

const whole = (payeeId: string | null, ...tagIds: string[]) => ({ line: 0, payeeId, tagIds })

describe('links', () => {
  it('are in one order, whatever the order they came in, each tag once', () => {
    const links = labelsFrom([{ line: 7, payeeId: 'p', tagIds: ['b', 'a', 'b'] }, whole('q', 'c')])
    expect(links).toEqual({
      payees: [
        { line: 0, payeeId: 'q' },
        { line: 7, payeeId: 'p' },
      ],
      tags: [
        { line: 0, tagId: 'c' },
        { line: 7, tagId: 'a' },
        { line: 7, tagId: 'b' },
      ],
    })
    const stored = {
      payees: JSON.stringify(links.payees.toReversed()),
      tags: JSON.stringify(links.tags.toReversed()),
    }
    expect(isSameLabels(labelsOf(stored), links)).toBe(true)
  })

  it('stay where nothing is said, with the parts that stay', () => {
    const before = labelsFrom([
      whole('p', 'a'),
      { line: 2, payeeId: 'q', tagIds: ['b'] },
      { line: 3, payeeId: null, tagIds: ['c'] },
    ])
    expect(labelsAfter(before, {}, entriesOn(2, 3))).toEqual(before)
  })

  it('of parts that are sent go to the lines that these get', () => {
    const before = labelsFrom([whole('p', 'a'), { line: 2, payeeId: 'q', tagIds: ['b'] }])
    const splits = [{ tagIds: ['x'] }, { payeeId: 'r' }]
    expect(labelsAfter(before, { splits }, entriesOn(undefined, 2))).toEqual(
      labelsFrom([
        whole('p', 'a'),
        { line: 3, payeeId: null, tagIds: ['x'] },
        { line: 2, payeeId: 'r', tagIds: [] },
      ]),
    )
    expect(labelsAfter(before, { splits: [] }, entriesOn())).toEqual(labelsFrom([whole('p', 'a')]))
  })

  it('of the whole are cleared by null and by none', () => {
    const before = labelsFrom([whole('p', 'a')])
    expect(labelsAfter(before, { payeeId: null, tagIds: [] }, entriesOn())).toEqual(NO_LABELS)
  })

  it('that a request names come with the field that names them', () => {
    expect(
      labelsInRequest({
        payeeId: 'p',
        tagIds: ['a'],
        splits: [{}, { payeeId: 'q', tagIds: ['b', 'c'] }],
      }),
    ).toEqual({
      payees: [
        { id: 'p', field: 'payeeId' },
        { id: 'q', field: 'splits.1.payeeId' },
      ],
      tags: [
        { id: 'a', field: 'tagIds.0' },
        { id: 'b', field: 'splits.1.tagIds.0' },
        { id: 'c', field: 'splits.1.tagIds.1' },
      ],
    })
  })
})
