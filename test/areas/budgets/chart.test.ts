import { describe, expect, it } from 'vitest'
import {
  closeBudgetPeriod,
  getBudgetChart,
} from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { createBudgetLine } from '../../../src/areas/planning/budgets/lines/lines.routes.ts'
import { updateBudgetPeriod } from '../../../src/areas/planning/budgets/periods/periods.routes.ts'
import { parseXml } from '../../../src/domain/xml.ts'
import { call, type Principal } from '../../support/api.ts'
import { someId } from '../../support/of-file.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { giveToken } from '../access-tokens/tokens.ts'
import { book, refusal } from '../transactions/booking.ts'
import { assignTo, newBudget, newLine, periodOf } from './budgets.fixtures.ts'
import { bookSeptember, newCouple } from './household.fixtures.ts'

const JANUARY = '2026-01-01'
const date = '2026-01-10'

type Asked = { period?: string; theme?: 'light' | 'dark' }

const asked = (as: Principal, { id }: { id: string }, query: Asked = {}, headers = {}) =>
  call(getBudgetChart, { as, id, query: { ...query }, headers })

async function drawn(as: Principal, budget: { id: string }, query: Asked = { period: JANUARY }) {
  const { status, text, headers } = await asked(as, budget, query)
  expect(status, text).toBe(200)
  const root = parseXml(`<?xml version="1.0"?>${text}`, { maxDepth: 10 })
  return { svg: text, headers, root, figures: figuresIn(text) }
}

/** The figures that stand in the chart, by row. */
const figuresIn = (svg: string): string[][] =>
  [...svg.matchAll(/<g>.*?<\/g>/gs)].map(([row]) =>
    [...row.matchAll(/text-anchor="end"[^>]*>([^<]*)</g)].map(([, figure = '']) => figure),
  )

async function newEnvelopes() {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '1000', openingDate: JANUARY })
  const budget = await newBudget(me, { mode: 'envelope', name: 'Our <home>' })
  const [food, fun] = [await newLine(me, budget, 'Food'), await newLine(me, budget, 'Fun')]
  await assignTo(me, budget, food, JANUARY, '400')
  await book(me, account, { date, amount: '350', categoryId: food.categoryId })
  await book(me, account, { date, amount: '20.50', categoryId: fun.categoryId })
  return { me, account, budget, food, fun }
}

describe('a chart', () => {
  it('of envelopes has the figures of the period', async () => {
    const { me, budget } = await newEnvelopes()
    const { svg, figures } = await drawn(me, budget)
    const { envelope } = await periodOf(me, budget, JANUARY)
    expect(figures).toEqual([
      ['400.00', '350.00', '50.00'],
      ['0.00', '20.50', '-20.50'],
    ])
    expect(figures.map(([assigned, , left]) => [assigned, left])).toEqual(
      envelope?.lines.map((line) => [line.assigned, line.available]),
    )
    expect(svg).toContain(
      '<title id="coffer-auto-title">\u2068Our &lt;home&gt;\u2069, 2026-01-01 to',
    )
    expect(svg).toContain('for each of 2 lines. Overspent: \u2068Fun\u2069 -20.50.</desc>')
    expect(svg).toContain(`· EUR · ${envelope?.toBeBudgeted} to be budgeted</text>`)
    for (const text of ['Assigned 400.00', 'Spent 350.00', 'Left 50.00']) {
      expect(svg).toContain(`<title>\u2068Food\u2069: ${text}</title>`)
    }
  })

  it('of limits has theirs, with what was carried in', async () => {
    const me = await newUser()
    const account = await newAccount(me, { openingDate: JANUARY })
    const budget = await newBudget(me, { mode: 'limit', policy: 'both' })
    const line = await newLine(me, budget, 'Food', { amount: '100' })
    await book(me, account, { date, amount: '30', categoryId: line.categoryId })
    const { figures, svg } = await drawn(me, budget, { period: '2026-02-01' })
    expect(figures).toEqual([['100.00', '0.00', '170.00']])
    expect(svg).toContain('>Limit</text>')
    expect(svg).toContain('· 0.00 spent, 170.00 left</text>')
    expect(svg).toContain('None is overspent.')
  })

  it('shows money put aside for cards on no line, and names a few of many overspent lines', async () => {
    const { me, budget } = await newEnvelopes()
    const card = await newAccount(me, { type: 'creditCard', openingDate: JANUARY })
    for (const name of 'ABCDEF') {
      const { categoryId } = await newLine(me, budget, name)
      await book(me, card, { date, amount: '1', categoryId })
    }
    const { figures, svg } = await drawn(me, budget)
    const { envelope } = await periodOf(me, budget, JANUARY)
    expect(envelope?.lines.map(({ kind }) => kind)).toContain('cardPayment')
    expect(figures).toHaveLength(8)
    expect(svg).toMatch(/Overspent: (?:\S+ -\d+\.50, )?(?:\S+ -1\.00(?:, )?){4} and 2 more\./)
  })

  it('says that a period is closed, and that a budget has no lines', async () => {
    const { me, budget } = await newEnvelopes()
    await call(closeBudgetPeriod, { as: me, path: { id: budget.id, period: JANUARY } })
    expect((await drawn(me, budget)).svg).toContain('· EUR · closed · ')
    const empty = await newBudget(me, { mode: 'limit' })
    const { figures, svg } = await drawn(me, empty)
    expect(figures).toEqual([])
    expect(svg).toContain('>The budget has no lines in this period.</text>')
  })

  it('is of the current period in the colours of the viewer, unless others are asked for', async () => {
    const { me, budget } = await newEnvelopes()
    const current = await periodOf(me, budget, 'current')
    const { svg } = await drawn(me, budget, {})
    expect(svg).toContain(`${current.start} to ${current.end}`)
    expect(svg).toContain('prefers-color-scheme')
    const [light, dark] = [
      await drawn(me, budget, { theme: 'light' }),
      await drawn(me, budget, { theme: 'dark' }),
    ]
    expect(light.svg).not.toContain('prefers-color-scheme')
    expect(light.svg).toContain('.background{fill:#ffffff}')
    expect(dark.svg).not.toContain('.background{fill:#ffffff}')
  })

  it('is safe to open, and known by its ETag until a figure or a decision changes', async () => {
    const { me, account, budget, food } = await newEnvelopes()
    const { headers, root } = await drawn(me, budget)
    expect(root.name).toBe('svg')
    expect([
      headers.get('Content-Type'),
      headers.get('Content-Security-Policy'),
      headers.get('X-Content-Type-Options'),
    ]).toEqual([
      'image/svg+xml; charset=utf-8',
      "default-src 'none'; style-src 'unsafe-inline'",
      'nosniff',
    ])
    const tag = headers.get('ETag') ?? ''
    const again = (query: Asked = { period: JANUARY }) =>
      asked(me, budget, query, { 'If-None-Match': tag })
    const unchanged = await again()
    expect([unchanged.status, unchanged.text, unchanged.headers.get('ETag')]).toEqual([
      304,
      '',
      tag,
    ])
    expect((await again({ period: JANUARY, theme: 'dark' })).status).toBe(200)
    await book(me, account, { date, amount: '1', categoryId: food.categoryId })
    const changed = await again()
    expect(changed.status).toBe(200)
    const path = { id: budget.id, period: JANUARY }
    await call(updateBudgetPeriod, { as: me, path, json: { note: 'x' } })
    const noted = await asked(me, budget, { period: JANUARY })
    expect(noted.text).toBe(changed.text)
    expect(noted.headers.get('ETag')).not.toBe(changed.headers.get('ETag'))
  })

  it('takes what people typed as text', async () => {
    const me = await newUser()
    const budget = await newBudget(me, { mode: 'limit', name: '"><svg onload=x>' })
    for (const name of ['</text><script>alert(1)</script>', 'קניות (שבועי)', '🎉\u202e & more']) {
      const scope = { kind: 'everything' as const, ids: [] }
      await call(createBudgetLine, { as: me, id: budget.id, json: { name, scope, amount: '1' } })
    }
    const { svg, figures } = await drawn(me, budget)
    expect(figures).toHaveLength(3)
    expect(svg.match(/<svg|<script|\u202e/g)).toEqual(['<svg'])
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
  })
})

describe('a chart is refused', () => {
  it('of a budget or period that is not there, and for parameters that are none', async () => {
    const { me, budget } = await newEnvelopes()
    const refused = async (query: object, of = budget.id) =>
      refusal(await call(getBudgetChart, { as: me, id: of, query: { ...query } }))
    expect(await refused({}, someId('bud'))).toEqual([404, 'budgets.notFound'])
    for (const period of ['2026-01-02', '2025-12-01', 'next']) {
      expect(await refused({ period })).toEqual([404, 'budgets.noSuchPeriod'])
    }
    expect(await refused({ theme: 'pink' })).toEqual([400, 'request.invalid', 'theme'])
    expect(await refused({ format: 'png' })).toEqual([400, 'request.invalid', 'format'])
  })

  it('to a stranger and to a token for some accounts, and is the same for all of a group', async () => {
    const couple = await newCouple()
    await bookSeptember(couple)
    const { ada, ben, viewer, joint, budget } = couple
    const query = { period: '2026-09-01' }
    const { svg } = await drawn(ada, budget, query)
    for (const as of [ben, viewer]) {
      expect((await drawn(as, budget, query)).svg).toBe(svg)
    }
    const strangers = [await newUser(), await giveToken(ada, ['budgets.read'], [joint.id])]
    for (const as of strangers) {
      expect(refusal(await asked(as, budget, query))).toEqual([404, 'budgets.notFound'])
    }
  })
})
