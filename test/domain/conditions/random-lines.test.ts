import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { checkCondition } from '../../../src/domain/conditions/check.ts'
import {
  conditionOf,
  namesNeeded,
  readLine,
  type VisibleNames,
} from '../../../src/domain/conditions/line.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { searchKey } from '../../../src/domain/search-key.ts'
import { type Random, randomFrom } from '../../support/random.ts'
import { rounds, SEED } from '../../support/rounds.ts'

const CORE = '0123456789abcdefghjkmnpqrs'

const names = (prefix: string, list: string[]) =>
  list.map((name, at) => ({
    id: `${prefix}_${CORE.slice(0, 25)}${at}`,
    name,
    key: searchKey(name),
    parentId: at === 0 ? null : `${prefix}_${CORE.slice(0, 25)}${at - 1}`,
  }))

const NAMES: VisibleNames = {
  account: names('acc', ['Cash', 'Current']),
  payee: names('pay', ['Blue Bottle', 'REWE', 'REWE City']),
  category: names('cat', ['Food', 'Groceries', 'Bread']),
  tag: names('tag', ['x', 'Ireland 2026']),
}

const FIELDS = [
  ...['account', 'payee', 'category', 'tag', 'amount', 'date', 'kind', 'status', 'source'],
  ...['currency', 'description', 'raw', 'note', 'is', 'has', 'by', 'meta.trip', 'meta.', 'foo'],
]
const VALUES = [
  ...['rewe', 'REW', 'food', 'none', 'me', 'x', '*', '""', '"Blue Bottle"', '"open', 'a"b', '★'],
  ...['20', '10..50', '1.234', '-5', '9'.repeat(30), '2026-10', '2026-02-30', '2026-10-03', '2026'],
  ...[
    'lastMonth',
    '2026-Q3',
    '0000',
    '..',
    'expense',
    'pending',
    'cleared',
    'import',
    'EUR',
    'BHD',
  ],
  ...[
    'reviewed',
    'split',
    'note',
    'attachment',
    'toString',
    '__proto__',
    '🍞',
    'Ａ',
    'ß',
    '\u00ad',
  ],
  ...[`pay_${CORE}`, `usr_${CORE}`, `acc_${CORE}`],
]
const SIGNS = [...'-:<>=",.*()\'\\ \u00a0\n\t\u0000\ud800', 'a', '1', 'é', '東']

function randomLine({ pick, chance, whole }: Random): string {
  const some = (least: number, most: number, make: () => string) =>
    Array.from({ length: whole(least, most) }, make)
  const noise = () => some(0, 12, () => pick(SIGNS)).join('')
  const term = () => {
    const relation = chance(0.8) ? ':' : pick(['>', '>=', '<', '<=', '=', '::'])
    const field = chance(0.8) ? `${pick(FIELDS)}${relation}` : ''
    const value = some(1, chance(0.8) ? 1 : 3, () => pick(VALUES)).join(',')
    return `${chance(0.2) ? '-' : ''}${field}${value}${chance(0.05) ? noise() : ''}`
  }
  return chance(0.1) ? noise() : some(1, chance(0.9) ? 3 : 25, term).join(' ')
}

const CODES = ['search.unknownField', 'search.malformed', 'search.unknownName']

test('any line is a condition that the check accepts, or is refused with a declared error', () => {
  const random = randomFrom(SEED)
  const outcomes: Record<string, number> = {}
  for (let round = 0; round < rounds(10_000, 50_000); round += 1) {
    const line = randomLine(random)
    const options = { userId: `usr_${CORE}`, isRule: random.chance(0.3) }
    let outcome: string
    try {
      const terms = readLine(line, options)
      const needed = namesNeeded(terms, options)
      const found = Object.fromEntries(needed.map((kind) => [kind, NAMES[kind]]))
      const condition = conditionOf(terms, found, options)
      outcome = isDeepStrictEqual(checkCondition(condition, options), condition)
        ? 'accepted'
        : `${line} is changed`
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error
      }
      const { kind, code, field } = error
      outcome = kind === 'invalid' && field === 'q' ? code : `${line} is refused by ${code}`
    }
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  expect(Object.keys(outcomes).toSorted()).toEqual(['accepted', ...CODES].toSorted())
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(100)
})
