import type { Random } from '../../support/random.ts'
import type { Condition, Rule } from './expected.fixtures.ts'
import { type Books, type Draft, type Label, type RunWishes, usable } from './walk.fixtures.ts'

/** A run asks for the kind, too. */
const MOST_COMPARISONS = 19

const TEXTS = [
  'amzn',
  'rewe',
  'cafe',
  'Müller',
  'markt 4711',
  'rent',
  'STRASSE',
  'fixed',
  'checked',
]
const PATTERNS = ['rewe*', '*mktp*', 'c*m*r', 'amzn mktp de', 'rewe *12', '* checked']
const RAW = [
  'AMZN Mktp DE',
  'REWE-Markt 4711/12',
  'Café Müller',
  'Rent {payee}',
  'Rewe {note}',
  'KRG 1',
  'KRG 2',
  'KRG 3',
]
const AMOUNTS_OF: Record<string, string[]> = {
  EUR: ['0.01', '0.05', '5.00', '12.30', '24.99', '100.01', '1500.00'],
  JPY: ['1', '5', '1000', '99999'],
  BHD: ['0.001', '0.125', '12.345', '1000.000'],
}
const AMOUNTS = ['0.01', '5', '12.30', '12.345', '24.99', '100.01', '1000']
const DAYS = ['2026-03-05', '2026-03-20', '2026-03', '2026-Q2', '2026', '2026-05-01']

const SPLIT: Record<string, string[]> = {
  '12.30': ['12.00', '0.30'],
  '1500.00': ['500.00', '1000.00'],
  '1000': ['1', '999'],
  '12.345': ['12.000', '0.345'],
}

/** Random rules, and what they are about. */
export function inventing(random: Random, books: Books) {
  const idOf = (kind: Label['kind']) => random.pick(usable(books, kind)).id
  const some = <Item>(of: () => Item) => Array.from({ length: random.whole(1, 3) }, of)
  const idOrNull = (kind: Label['kind']) => (random.chance(0.2) ? null : idOf(kind))
  const account = () => random.pick([...books.accounts.keys()])
  const choice = (field: string, of: () => string): Condition =>
    random.chance(0.5) ? { field, op: 'is', value: of() } : { field, op: 'oneOf', value: some(of) }
  const ordered = (field: string, of: readonly string[]): Condition => {
    const op = random.pick(['is', 'from', 'to', 'above', 'below', 'between'])
    return {
      field,
      op,
      value: op === 'between' ? [random.pick(of), random.pick(of)] : random.pick(of),
    }
  }
  const words = (field: string, ops: string[]): Condition => {
    const op = random.pick(ops)
    return op === 'isEmpty'
      ? { field, op }
      : { field, op, value: random.pick(op === 'like' ? PATTERNS : TEXTS) }
  }
  const labelled = (kind: Label['kind']): Condition =>
    random.chance(0.35)
      ? { field: `${kind}Id`, op: 'isEmpty' }
      : choice(`${kind}Id`, () => idOf(kind))
  const comparison = (): Condition =>
    random.pick<() => Condition>([
      () => words('text', ['contains', 'word', 'like']),
      () =>
        words(random.pick(['description', 'payeeRaw', 'note']), [
          ...['is', 'contains', 'word', 'like', 'isEmpty'],
        ]),
      () => words('payeeRaw', ['contains', 'word']),
      () => ordered('amount', AMOUNTS),
      () => ordered('date', DAYS),
      () => choice('kind', () => random.pick(['expense', 'income', 'transfer', 'adjustment'])),
      () => choice('status', () => random.pick(['pending', 'uncleared', 'cleared', 'void'])),
      () => choice('source', () => random.pick(['user', 'import'])),
      () => choice('currency', () => random.pick(['EUR', 'JPY', 'BHD'])),
      () => choice('accountId', account),
      () => labelled('category'),
      () => labelled('payee'),
      () => labelled('tag'),
      () => ({
        field: random.pick(['uncategorised', 'reviewed', 'private', 'isSplit']),
        ...{ op: 'is', value: random.chance(0.5) },
      }),
      () =>
        random.chance(0.5)
          ? { field: 'metadata', op: 'exists', value: { key: 'trip' } }
          : {
              field: 'metadata',
              op: 'is',
              value: { key: 'trip', value: random.pick(['1', 'yes']) },
            },
    ])()
  const conditionAt = (depth: number): Condition => {
    if (depth >= 4 || random.chance(depth === 1 ? 0.45 : 0.6)) {
      return comparison()
    }
    const members = () => some(() => conditionAt(depth + 1))
    return random.pick<() => Condition>([
      () => ({ all: members() }),
      () => ({ any: members() }),
      () => ({ not: conditionAt(depth + 1) }),
    ])()
  }
  const condition = (): Condition => {
    const made = conditionAt(1)
    const comparisons = JSON.stringify(made).split('"field"').length - 1
    return comparisons > MOST_COMPARISONS ? condition() : made
  }
  const part = () => ({
    ...random.pick([
      { rest: random.whole(1, 3) },
      { fixed: random.pick(['1', '5', '12.30', '0.125']) },
      { percent: random.pick(['50', '33.33', '12.5', '0']) },
    ]),
    ...(random.chance(0.7) ? { categoryId: idOrNull('category') } : {}),
    ...(random.chance(0.3) ? { payeeId: idOrNull('payee') } : {}),
    ...(random.chance(0.3) ? { tagIds: [idOf('tag')] } : {}),
    ...(random.chance(0.3) ? { note: random.pick(['cheese', null]) } : {}),
  })
  const parts = () => {
    const isOfRest = random.chance(0.3)
    const all = [part(), ...some(part)].map((one) =>
      'percent' in one && isOfRest ? { ...one, percentOf: 'rest' } : one,
    )
    const percents = all.reduce((sum, one) => sum + ('percent' in one ? Number(one.percent) : 0), 0)
    return percents > 100 ? [{ rest: 1 }, { rest: 2 }] : all
  }
  const changes = (canTransfer: boolean): Rule['changes'] => {
    const template = () =>
      random.pick([
        ...['{payee}', '{note} checked', '{description}: {payeeRaw}', 'Fixed', ' {note}', null],
        ...['{note}{note}{payeeRaw}', 'Rent', '{payee} {{payeeRaw}}'],
      ])
    const all: Rule['changes'] = {
      ...(random.chance(0.3) ? { payeeId: idOrNull('payee') } : {}),
      ...(random.chance(0.2) ? { description: template() } : {}),
      ...(random.chance(0.25) ? { note: template() } : {}),
      ...(random.chance(0.3) ? { addTagIds: some(() => idOf('tag')) } : {}),
      ...(random.chance(0.2) ? { removeTagIds: [idOf('tag')] } : {}),
      ...(random.chance(0.15) ? { status: random.pick(['pending', 'uncleared', 'cleared']) } : {}),
      ...(random.chance(0.15) ? { reviewed: random.chance(0.5) } : {}),
    }
    const which = random.below(10)
    const whole =
      which < 2
        ? { splits: parts() }
        : which === 2 && canTransfer
          ? { transferAccountId: account() }
          : which < 7 || Object.keys(all).length === 0
            ? { categoryId: idOrNull('category') }
            : {}
    return { ...all, ...whole }
  }
  const rule = (canTransfer = true): Omit<Rule, 'id'> => ({
    condition: condition(),
    changes: changes(canTransfer),
    on: random.pick([
      ['record', 'import', 'recurring'],
      ['record'],
      ['import'],
      ['record', 'import'],
    ]),
    overwrite: random.chance(0.3),
    stop: random.chance(0.15),
  })
  const raw = () => random.pick(RAW)
  const draft = (): Draft => {
    const accountId = account()
    const kind = random.pick(['expense', 'expense', 'expense', 'income', 'adjustment'] as const)
    const currency = books.accounts.get(accountId) ?? ''
    const amount = random.pick(AMOUNTS_OF[currency] ?? [])
    const fitting = usable(books, 'category').filter(
      ({ isIncome }) => kind === 'income' || !isIncome,
    )
    const category = () => random.pick([null, ...fitting.map(({ id }) => id)])
    const maybe = <Value>(key: keyof Draft, of: () => Value, share = 0.25) =>
      random.chance(share) ? { [key]: of() } : {}
    const halves = SPLIT[amount]
    return {
      ...{ kind, accountId, amount },
      date: random.pick(['2026-03-05', '2026-03-20', '2026-05-01', '2025-12-31', '2026-11-20']),
      ...maybe('payeeRaw', raw, 0.8),
      ...maybe('payeeId', () => idOrNull('payee'), 0.15),
      ...maybe('description', () => random.pick(['Rent March', 'Parents', 'Straße 5', '{note}'])),
      ...maybe('note', () => random.pick([null, 'mine', `${'long '.repeat(399)}end`])),
      ...maybe('tagIds', () => [...new Set(some(() => idOf('tag')))]),
      ...maybe('status', () => random.pick(['pending', 'uncleared', 'cleared', 'void']), 0.2),
      ...maybe('reviewed', () => random.chance(0.5), 0.15),
      ...maybe('private', () => true, 0.1),
      ...maybe('metadata', () => ({ trip: random.pick([1, 'yes']) }), 0.15),
      ...(kind === 'adjustment'
        ? {}
        : halves && random.chance(0.4)
          ? { splits: halves.map((one) => ({ amount: one, categoryId: category() })) }
          : maybe('categoryId', category)),
    }
  }
  /** The day of every row of a file is another one than that of what is typed, so that they do not match. */
  const fileRow = (isExpense: boolean, accountId: string, amount: string): Draft => ({
    ...{ kind: isExpense || random.chance(0.5) ? 'expense' : 'income', accountId, amount },
    ...{ date: '2026-07-07', payeeRaw: raw() },
  })
  const transfer = (ends: string[]): Draft => {
    const [accountId = '', toAccountId = ''] = random.chance(0.5) ? ends : ends.toReversed()
    const { amount, kind: _, date, description, note, tagIds, status } = draft()
    const said = Object.entries({ description, note, tagIds, status })
    return {
      ...{ kind: 'transfer', accountId, toAccountId, date },
      amount: amount.includes('.') && amount.length < 8 ? '12.30' : '5.00',
      ...Object.fromEntries(said.filter(([, value]) => value !== undefined)),
    }
  }
  const wishes = (): RunWishes => {
    const some = books.rules.filter(
      ({ changes: made }) => !made.transferAccountId && random.chance(0.6),
    )
    const all = books.rules.every(({ active, changes: made }) => !active || !made.transferAccountId)
    return {
      ...(some.length === 0
        ? { rule: rule(false) }
        : all && random.chance(0.3)
          ? {}
          : { ruleIds: some.map(({ id }) => id) }),
      ...random.pick([{}, {}, { overwrite: true }, { overwrite: false }]),
      ...(random.chance(0.4) ? { withReviewed: true } : {}),
      ...(random.chance(0.3) ? { force: true } : {}),
    }
  }
  return { rule, condition, idOf, idOrNull, draft, fileRow, transfer, wishes }
}
