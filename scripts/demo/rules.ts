import { createSavedView } from '../../src/areas/insight/saved-views/saved-views.usecases.ts'
import { createRule } from '../../src/areas/money/rules/rules.usecases.ts'
import { createTag } from '../../src/areas/money/tags/tags.usecases.ts'
import type { Condition } from '../../src/domain/conditions/conditions.ts'
import { exampleId } from '../../src/domain/ids.ts'
import { RULE_OCCASIONS, type RuleChanges } from '../../src/domain/rules/rules.ts'
import type { Settled } from './person.ts'

interface PlannedRule {
  name: string
  condition: Condition
  changes: RuleChanges
  stop?: true
  active?: false
}

const word = (value: string): Condition => ({ field: 'text', op: 'word', value })
const words = (...values: string[]): Condition => ({ any: values.map(word) })
const income: Condition = { field: 'kind', op: 'is', value: 'income' }

function rulesOfFirst({ accounts, categories }: Settled, japan: string): PlannedRule[] {
  const category = (name: string) => ({ categoryId: categories.get(name) })
  const isOn = (key: string): Condition => {
    return { field: 'accountId', op: 'is', value: accounts.get(key)?.id ?? '' }
  }
  return [
    {
      name: 'Getting around',
      condition: words('tram', 'fuel', 'parking'),
      changes: category('Transport'),
    },
    {
      name: 'Restaurants',
      condition: { all: [isOn('card'), words('trattoria', 'noodle bar', 'bistro')] },
      changes: category('Dining'),
    },
    {
      name: 'Abroad',
      condition: isOn('tokyo'),
      changes: { ...category('Travel'), addTagIds: [japan] },
    },
    {
      name: 'Custody',
      condition: word('custody'),
      changes: { ...category('Fees'), reviewed: true },
    },
    {
      name: 'Pay day',
      condition: { all: [income, word('salary'), { field: 'amount', op: 'from', value: '2000' }] },
      changes: { ...category('Salary'), note: 'Paid as agreed' },
      stop: true,
    },
    {
      name: 'Interest',
      condition: { all: [income, word('interest')] },
      changes: category('Interest'),
    },
    { name: 'Power and water', condition: word('city works'), changes: category('Utilities') },
    {
      name: 'Groceries',
      condition: {
        all: [words('market', 'shop', 'store'), { field: 'categoryId', op: 'isEmpty' }],
      },
      changes: category('Groceries'),
    },
    {
      name: 'Put aside',
      condition: { all: [isOn('everyday'), word('set aside')] },
      changes: { transferAccountId: accounts.get('savings')?.id },
    },
    {
      name: 'Concert with a drink',
      condition: word('concert'),
      changes: {
        splits: [
          { percent: '80', ...category('Leisure') },
          { rest: 1, ...category('Dining') },
        ],
      },
      active: false,
    },
  ]
}

const rulesOfSecond = ({ categories }: Settled): PlannedRule[] => [
  { name: 'Rent', condition: word('rent'), changes: { categoryId: categories.get('Rent') } },
  {
    name: 'On the way',
    condition: words('train', 'bike shop'),
    changes: { categoryId: categories.get('Transport') },
  },
  {
    name: 'Subscriptions',
    condition: { all: [word('streaming'), { field: 'amount', op: 'to', value: '50' }] },
    changes: { note: '{description} of the month' },
  },
]

/** The rules of a person, which fill what is booked from now on. */
export async function addRules(date: string, person: Settled): Promise<void> {
  const { as, accounts } = person
  const isFirst = accounts.has('everyday')
  const tag = { name: 'Japan', archived: false }
  const japan = isFirst
    ? await createTag(as('tags.write', date, [exampleId('tag', 3)]), tag)
    : undefined
  const rules = japan ? rulesOfFirst(person, japan.id) : rulesOfSecond(person)
  for (const [nth, { stop = false, active = true, ...rule }] of rules.entries()) {
    // The first example is a rule that needs tags of a later day.
    const ctx = as('rules.write', date, isFirst ? [exampleId('rul', nth + 2)] : [])
    const occasions = { on: [...RULE_OCCASIONS], overwrite: false }
    await createRule(ctx, { ...rule, ...occasions, stop, active })
  }
}

/** Lists that the first person looks at again and again. */
export async function addViews(date: string, { as, categories }: Settled): Promise<void> {
  const groceries = categories.get('Groceries') ?? ''
  const views = [
    { name: 'Without a category', parameters: { q: 'is:uncategorised', sort: '-date' } },
    { name: 'Groceries this month', parameters: { categoryId: groceries, q: 'date:thisMonth' } },
    { name: 'Japan', parameters: { tagId: exampleId('tag', 3) } },
    { name: 'Large on the card', parameters: { q: 'account:Visa amount>50' } },
  ]
  for (const [position, view] of views.entries()) {
    const ctx = as('savedViews.write', date, [exampleId('svw', position + 1)])
    const place = { of: 'transactions' as const, position, pinned: position === 0 }
    await createSavedView(ctx, { ...view, ...place })
  }
}
