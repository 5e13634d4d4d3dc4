import { describe, expect, test } from 'vitest'
import { checkCondition } from '../../../src/domain/conditions/check.ts'
import { predicateOf } from '../../../src/domain/conditions/holds.ts'
import {
  type CompiledRule,
  decideByRules,
  type RuleApplication,
} from '../../../src/domain/rules/decide.ts'
import { keptOfRow, type RuleField, type RuleTarget } from '../../../src/domain/rules/target.ts'
import { exampleId } from '../../../src/domain/ids.ts'
import type { RuleChanges } from '../../../src/domain/rules/rules.ts'
import { limit } from '../../support/rounds.ts'

const TODAY = '2026-11-30'
const [amazon, rewe] = [exampleId('pay', 1), exampleId('pay', 2)]
const [shopping, big, gifts, salary] = [1, 2, 3, 4].map((nth) => exampleId('cat', nth)) as Four
const [online, old, mine] = [exampleId('tag', 1), exampleId('tag', 2), exampleId('tag', 3)]
const [everyday, visa, savings, dollars] = [1, 2, 3, 4].map((nth) => exampleId('acc', nth)) as Four
const closed = exampleId('acc', 5)

type Four = [string, string, string, string]

const facts: RuleApplication['facts'] = {
  categoryKind: (id) => (id === salary ? 'income' : 'expense'),
  payeeName: (id) => (id === amazon ? 'Amazon' : undefined),
  transferCurrency: (id) => (id === dollars ? 'USD' : id === closed ? undefined : 'EUR'),
}

const draft = (said: Partial<RuleTarget> = {}): RuleTarget => ({
  kind: 'expense',
  accountId: everyday,
  currency: 'EUR',
  date: TODAY,
  amountMinor: -2499,
  source: 'user',
  private: false,
  metadata: {},
  payeeRaw: null,
  description: '',
  note: null,
  payeeId: null,
  categoryId: null,
  tagIds: [],
  status: 'uncleared',
  reviewed: false,
  splits: [],
  ...said,
})

type Rest = Partial<Omit<CompiledRule, 'holds' | 'changes'>>

const rule = (condition: unknown, changes: RuleChanges, more: Rest = {}): CompiledRule => ({
  id: 'R',
  holds: predicateOf(checkCondition(condition, { isRule: true }), TODAY),
  changes,
  on: new Set(['record', 'import', 'recurring']),
  overwrite: false,
  stop: false,
  ...more,
})

const ALWAYS = { field: 'currency', op: 'is', value: 'EUR' }

const decide = (
  rules: CompiledRule[],
  target: RuleTarget,
  kept: RuleField[] = [],
  more: Partial<RuleApplication> = {},
) => decideByRules(rules, target, { facts, occasion: 'record', kept: new Set(kept), ...more })

const isAmazon = { field: 'payeeId', op: 'is', value: amazon }

const five = [
  rule({ field: 'payeeRaw', op: 'contains', value: 'amzn' }, { payeeId: amazon }, { id: 'R1' }),
  rule(isAmazon, { categoryId: shopping, addTagIds: [online] }, { id: 'R2' }),
  rule(
    { all: [isAmazon, { field: 'amount', op: 'from', value: '100.01' }] },
    { categoryId: big },
    { id: 'R3', stop: true },
  ),
  rule(
    { field: 'tagId', op: 'is', value: online },
    { note: 'check the return period' },
    { id: 'R4' },
  ),
  rule({ not: { field: 'categoryId', op: 'isEmpty' } }, { reviewed: true }, { id: 'R5' }),
]

describe('the rules R1 to R5', () => {
  const AMZN = 'AMZN Mktp DE'

  test.each<[string, Partial<RuleTarget>, RuleField[], string[], Partial<RuleTarget>]>([
    [
      'A',
      { payeeRaw: AMZN },
      [],
      ['R1', 'R2', 'R4', 'R5'],
      {
        ...{ payeeId: amazon, categoryId: shopping, tagIds: [online] },
        ...{ note: 'check the return period', reviewed: true },
      },
    ],
    [
      'B',
      { payeeRaw: AMZN, amountMinor: -15_900 },
      [],
      ['R1', 'R2', 'R3'],
      { payeeId: amazon, categoryId: big, tagIds: [online], note: null, reviewed: false },
    ],
    ['C', { payeeRaw: 'REWE', amountMinor: -1200 }, [], [], {}],
    [
      'D',
      { payeeRaw: AMZN, categoryId: gifts },
      ['categoryId'],
      ['R1', 'R2', 'R4', 'R5'],
      {
        ...{ payeeId: amazon, categoryId: gifts, tagIds: [online] },
        ...{ note: 'check the return period', reviewed: true },
      },
    ],
  ])('row %s', (_, said, kept, matched, after) => {
    const decision = decide(five, draft(said), kept)
    expect(decision.matchedIds).toEqual(matched)
    expect(decision.failed).toEqual([])
    expect(decision.after).toEqual({ ...draft(said), ...after })
  })

  test('names the rules that changed something, and the last one for each field', () => {
    const { appliedIds, changedBy } = decide(
      five,
      draft({ payeeRaw: AMZN, amountMinor: -15_900, payeeId: amazon }),
    )
    expect(appliedIds).toEqual(['R2', 'R3'])
    expect([...changedBy]).toEqual([
      ['tagIds', 'R2'],
      ['categoryId', 'R3'],
    ])
  })
})

describe('a nested condition', () => {
  const nested = rule(
    {
      all: [
        { field: 'accountId', op: 'is', value: everyday },
        {
          any: [
            { field: 'text', op: 'contains', value: 'rent' },
            {
              all: [
                { field: 'amount', op: 'from', value: '800.00' },
                { field: 'categoryId', op: 'isEmpty' },
              ],
            },
          ],
        },
      ],
    },
    { reviewed: true },
  )

  test.each([
    [everyday, 'Rent March', 60_000, null, true],
    [everyday, 'Insurance', 81_000, null, true],
    [everyday, 'Insurance', 81_000, gifts, false],
    [visa, 'Rent a car', 90_000, null, false],
    [everyday, 'Parents', 79_999, null, true],
  ])('of %s, %s, %i and %s', (accountId, description, amountMinor, categoryId, isMet) => {
    const { matchedIds } = decide(
      [nested],
      draft({ accountId, description, amountMinor, categoryId }),
    )
    expect(matchedIds).toEqual(isMet ? ['R'] : [])
  })
})

describe('what the fields have', () => {
  const changes = { categoryId: shopping, payeeId: rewe, description: 'New', note: 'New' } as const
  const stored = { categoryId: gifts, payeeId: amazon, description: 'Old', note: 'Old' } as const
  const replaced = { ...changes }

  test('nothing, or what a file or an earlier rule says, is replaced', () => {
    expect(decide([rule(ALWAYS, changes)], draft()).after).toMatchObject(replaced)
    expect(decide([rule(ALWAYS, changes)], draft(stored)).after).toMatchObject(replaced)
    const twice = [rule(ALWAYS, stored), rule(ALWAYS, changes)]
    expect(decide(twice, draft()).after).toMatchObject(replaced)
  })

  test('what a request says stays, null included, unless the rule overwrites', () => {
    const kept: RuleField[] = ['categoryId', 'payeeId', 'description', 'note', 'status', 'reviewed']
    const more = { ...changes, status: 'cleared', reviewed: true } as const
    expect(decide([rule(ALWAYS, more)], draft(), kept).after).toEqual(draft())
    expect(decide([rule(ALWAYS, more)], draft(stored), kept).after).toEqual(draft(stored))
    const overwriting = rule(ALWAYS, more, { overwrite: true })
    expect(decide([overwriting], draft(stored), kept).after).toMatchObject(more)
    expect(decide([overwriting], draft(stored), kept, { overwrite: false }).after).toEqual(
      draft(stored),
    )
  })

  test('tags are added and removed one by one, whoever named them', () => {
    const { after } = decide(
      [rule(ALWAYS, { addTagIds: [online], removeTagIds: [old] })],
      draft({ tagIds: [old, mine] }),
    )
    expect(after.tagIds).toEqual([mine, online])
    const { appliedIds } = decide(
      [rule(ALWAYS, { addTagIds: [online] })],
      draft({ tagIds: [online] }),
    )
    expect(appliedIds).toEqual([])
  })

  test('what is stored stays in a run, unless it is empty; tags, reviewed and status are set', () => {
    const row = draft({ categoryId: gifts, note: 'Old' })
    const run = { occasion: undefined, kept: keptOfRow(row) }
    const ofImports = rule(
      ALWAYS,
      { ...changes, reviewed: true, status: 'cleared', addTagIds: [online] },
      { on: new Set(['import']) },
    )
    expect(decideByRules([ofImports], row, { facts, ...run }).after).toEqual({
      ...row,
      ...{ payeeId: rewe, description: 'New', reviewed: true, status: 'cleared', tagIds: [online] },
    })
    expect(decide([ofImports], row).matchedIds).toEqual([])
  })

  test('leaves out a rule as a whole where what it adds has no room', () => {
    const both = rule(ALWAYS, { reviewed: true, note: 'New' }, { id: 'R1' })
    const one = rule(ALWAYS, { addTagIds: [online] }, { id: 'R2' })
    const hasRoom = (changed: object) => !('note' in changed)
    expect(decide([both, one], draft(), [], { hasRoom })).toMatchObject({
      after: draft({ tagIds: [online] }),
      failed: [{ ruleId: 'R1', code: 'rules.noRoom' }],
    })
  })

  test('null clears', () => {
    const cleared = { categoryId: null, payeeId: null, description: null, note: null }
    expect(decide([rule(ALWAYS, cleared)], draft(stored)).after).toEqual(draft())
  })
})

describe('texts', () => {
  test('have placeholders; what is missing is empty', () => {
    const texts = { description: '{payee}: {payeeRaw}', note: '{note} checked {description}' }
    const { after } = decide([rule(ALWAYS, texts)], draft({ payeeId: amazon, payeeRaw: 'AMZN' }))
    expect(after).toMatchObject({ description: 'Amazon: AMZN', note: 'checked' })
    const unnamed = decide([rule(ALWAYS, { description: '{payee}' })], draft({ payeeId: rewe }))
    expect(unnamed.after.description).toBe('')
  })

  test('of hundreds of placeholders end where they are cut', () => {
    const texts = { note: '{note}'.repeat(333), description: ' {payeeRaw} '.repeat(41) }
    const [payeeRaw, note] = [` ${'y'.repeat(499)}`, 'x'.repeat(1999)]
    const { after } = decide([rule(ALWAYS, texts)], draft({ payeeRaw, note }))
    expect(after).toMatchObject({ note: 'x'.repeat(2000), description: 'y'.repeat(499) })
  })

  test('are cut, and folded again for the rules that follow', () => {
    const { after, matchedIds } = decide(
      [
        rule(ALWAYS, { note: `${'long '.repeat(300)}{payeeRaw}`, description: 'Book' }),
        rule({ field: 'description', op: 'is', value: 'book' }, { reviewed: true }, { id: 'next' }),
      ],
      draft({ payeeRaw: 'x'.repeat(800) }),
    )
    expect(after.note).toHaveLength(2000)
    expect(matchedIds).toEqual(['R', 'next'])
  })
})

describe('texts that many rules change', () => {
  test('are folded only where a condition asks for them, and as they are then', () => {
    const asks = (value: string) => ({ field: 'note', op: 'contains', value })
    const { after, matchedIds } = decide(
      [
        rule(ALWAYS, { note: 'Ä one' }),
        rule(asks('a one'), { note: 'two', description: 'Ö' }, { id: 'sees' }),
        rule(asks('one'), { note: 'three' }, { id: 'misses' }),
        rule({ field: 'text', op: 'word', value: 'o' }, { note: '{note} {description}' }),
      ],
      draft({ payeeRaw: 'x' }),
    )
    expect(matchedIds).toEqual(['R', 'sees', 'R'])
    expect(after).toMatchObject({ note: 'two Ö', description: 'Ö' })
  })

  test('take no time to speak of where no condition asks for them', () => {
    const text = 'é漢'.repeat(900)
    const rules = Array.from({ length: 300 }, (_, nth) => rule(ALWAYS, { note: `${nth} ${text}` }))
    const start = process.threadCpuUsage()
    for (let nth = 0; nth < 40; nth++) {
      expect(decide(rules, draft()).after.note).toBe(`299 ${text}`)
    }
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(limit(60))
  })
})

describe('splits', () => {
  const halves = [
    { percent: '50', categoryId: shopping, tagIds: [online] },
    { rest: 1, categoryId: gifts, payeeId: rewe, note: 'present' },
  ]
  const parts = [
    { amount: '12.50', categoryId: shopping, payeeId: null, tagIds: [online], note: null },
    { amount: '12.49', categoryId: gifts, payeeId: rewe, tagIds: [], note: 'present' },
  ]

  test('take the place of the category, and are seen by the rules that follow', () => {
    const follow = [
      rule({ field: 'isSplit', op: 'is', value: true }, { categoryId: big, reviewed: true }),
      rule({ field: 'categoryId', op: 'is', value: gifts }, { note: 'gifts' }),
      rule({ field: 'uncategorised', op: 'is', value: true }, { note: 'never' }),
    ]
    const { after } = decide(
      [rule(ALWAYS, { splits: halves }), ...follow],
      draft({ categoryId: big }),
    )
    // 24.99 has an odd number of cents: half of it is rounded to the even one.
    expect(after).toMatchObject({ splits: parts, categoryId: null, reviewed: true, note: 'gifts' })
  })

  test('may have nothing but an amount', () => {
    const { after } = decide([rule(ALWAYS, { splits: [{ rest: 1 }, { rest: 1 }] })], draft())
    const bare = { categoryId: null, payeeId: null, tagIds: [], note: null }
    expect(after.splits).toEqual([
      { amount: '12.49', ...bare },
      { amount: '12.50', ...bare },
    ])
  })

  test('stay out where the request says the category or the parts', () => {
    const split = rule(ALWAYS, { splits: halves, reviewed: true })
    const after = { splits: [], reviewed: true }
    expect(decide([split], draft({ categoryId: big }), ['categoryId']).after).toMatchObject(after)
    expect(decide([split], draft(), ['splits']).after).toMatchObject(after)
  })

  test('replace parts only with overwrite, and never transfers', () => {
    const before = draft({ splits: [{ amount: '20.00' }, { amount: '4.99' }] })
    const overwriting = rule(ALWAYS, { splits: halves }, { overwrite: true })
    expect(decide([rule(ALWAYS, { splits: halves })], before).after).toBe(before)
    const { after } = decide([overwriting], before)
    expect(after.splits).toEqual(parts)
    expect(decide([overwriting], after).appliedIds).toEqual([])
    const withTransfer = draft({
      splits: [{ amount: '20.00', transferAccountId: savings }, { amount: '4.99' }],
    })
    expect(decide([overwriting], withTransfer).after).toBe(withTransfer)
  })

  test('give what the only part says to the whole', () => {
    const splits = [
      { fixed: '24.99', categoryId: gifts, tagIds: [online], note: 'all of it' },
      { rest: 1, categoryId: shopping },
    ]
    const { after } = decide([rule(ALWAYS, { splits, payeeId: rewe, addTagIds: [old] })], draft())
    expect(after).toMatchObject({ splits: [], categoryId: gifts, payeeId: rewe, note: 'all of it' })
    expect(after.tagIds).toEqual([old, online])
    const plain = rule(ALWAYS, {
      splits: [{ fixed: '24.99', categoryId: big }, { rest: 1 }],
      note: 'x',
    })
    expect(decide([plain], draft()).after).toEqual(draft({ categoryId: big, note: 'x' }))
  })
})

describe('a rule that cannot be applied', () => {
  test.each<[string, RuleChanges, Partial<RuleTarget>]>([
    ['rules.splitTooMuch', { splits: [{ fixed: '30.00' }, { rest: 1 }] }, {}],
    ['rules.cannotSplit', { splits: [{ rest: 1 }, { rest: 1 }] }, { kind: 'adjustment' }],
    ['rules.categoryKind', { categoryId: salary }, {}],
    ['rules.categoryKind', { categoryId: salary }, { kind: 'transfer' }],
    ['rules.categoryKind', { categoryId: shopping }, { kind: 'adjustment' }],
    ['rules.categoryKind', { splits: [{ rest: 1, categoryId: salary }, { rest: 1 }] }, {}],
    ['rules.tooManyTags', { addTagIds: Array.from({ length: 51 }, (_, at) => `tag_${at}`) }, {}],
    ['rules.cannotTransfer', { transferAccountId: everyday }, {}],
    ['rules.cannotTransfer', { transferAccountId: dollars }, {}],
    ['rules.cannotTransfer', { transferAccountId: closed }, {}],
    ['rules.cannotTransfer', { transferAccountId: savings }, { status: 'void' }],
    ['rules.cannotTransfer', { transferAccountId: savings }, { kind: 'adjustment' }],
    ['rules.cannotTransfer', { transferAccountId: savings }, { splits: [{ amount: '1' }] }],
  ])('is left out as a whole: %s', (code, changes, said) => {
    const failing = rule(ALWAYS, { ...changes, note: 'never' }, { stop: true })
    const next = rule(ALWAYS, { reviewed: true }, { id: 'next' })
    const decision = decide([failing, next], draft(said))
    expect(decision.failed).toEqual([{ ruleId: 'R', code }])
    expect(decision.after.note).toBeNull()
    expect(decision.matchedIds).toEqual(['R', 'next'])
  })

  test('does not hide a bug', () => {
    const broken = {
      ...facts,
      categoryKind: () => {
        throw new TypeError('bug')
      },
    }
    expect(() =>
      decide([rule(ALWAYS, { categoryId: gifts })], draft(), [], { facts: broken }),
    ).toThrow('bug')
  })
})

describe('transfers', () => {
  const toSavings = rule(ALWAYS, { transferAccountId: savings, categoryId: gifts })

  test('are made of what has no category that stays', () => {
    const { after } = decide([toSavings], draft({ categoryId: shopping }))
    expect(after).toMatchObject({ kind: 'transfer', transferAccountId: savings, categoryId: null })
    const kept = decide([toSavings], draft({ categoryId: shopping }), ['categoryId'])
    expect(kept.after.kind).toBe('expense')
  })

  test('change in description, note, category, tags and status', () => {
    const all = rule(ALWAYS, {
      ...{ description: 'Saved', note: 'Saved', categoryId: gifts, addTagIds: [online] },
      ...{ status: 'cleared', payeeId: amazon, reviewed: true, transferAccountId: savings },
    })
    const split = rule(ALWAYS, { splits: [{ rest: 1 }, { rest: 1 }] })
    const { after, failed } = decide([all, split], draft({ kind: 'transfer' }))
    expect(failed).toEqual([])
    expect(after).toEqual({
      ...draft({ kind: 'transfer', description: 'Saved', note: 'Saved', categoryId: gifts }),
      ...{ tagIds: [online], status: 'cleared' },
    })
  })

  test('that a rule made have no category from later ones', () => {
    const later = rule(
      { field: 'kind', op: 'is', value: 'transfer' },
      { categoryId: gifts, note: 'x' },
    )
    const { after } = decide([rule(ALWAYS, { transferAccountId: savings }), later], draft())
    expect(after).toMatchObject({ categoryId: null, note: 'x' })
  })

  test('what is void stays void', () => {
    const { after } = decide([rule(ALWAYS, { status: 'cleared' })], draft({ status: 'void' }))
    expect(after.status).toBe('void')
  })
})

test('an income may have a category of expenses, as a refund', () => {
  const { after } = decide([rule(ALWAYS, { categoryId: gifts })], draft({ kind: 'income' }))
  expect(after.categoryId).toBe(gifts)
})
