import { foldKey } from '../../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../../platform/database/paging.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { budgetTemplateEvents } from '../budgets.events.ts'
import { accountsInsideOf, budgetById, mustChange } from '../budgets.queries.ts'
import { type BudgetRow, existingBudget, ownerOf, requireWrite } from '../budgets.rules.ts'
import { linesOfBudget, unpackLine } from '../lines/lines.queries.ts'
import type { LineRow } from '../lines/lines.rules.ts'
import { readLines } from '../lines/lines.usecases.ts'
import { seenLines, withPaymentLines } from '../lines/deletion.usecases.ts'
import { getBudgetPeriod } from '../periods/periods.usecases.ts'
import {
  countOfTemplates,
  eraseTemplate,
  insertTemplate,
  pageOfTemplates,
  templateById,
  unpackTemplate,
  updateTemplate,
} from './templates.queries.ts'
import { itemsFrom, itemsOfPeriod, type StoredTemplate } from './templates.rules.ts'

export { applyBudgetTemplate } from './applying.usecases.ts'

/** A template with the budget of its amounts. */
export interface ShownTemplate {
  template: StoredTemplate
  budget: BudgetRow
}

type SentItems = readonly { lineId: string; amount: string }[]

/** By name. */
export async function listBudgetTemplates(
  ctx: SignedIn,
  budgetId: string,
  page: PageRequest,
): Promise<Page<ShownTemplate>> {
  const [[found], templates, [total], stored, inside] = await read(
    ctx,
    budgetById(ctx, budgetId),
    pageOfTemplates(budgetId, page),
    countOfTemplates(budgetId),
    linesOfBudget({ id: budgetId, now: ctx.now }),
    accountsInsideOf(ctx, budgetId),
  )
  const budget = existingBudget(found)
  const lines = seenLines(budget, withPaymentLines(budget, stored.map(unpackLine), inside))
  const { rows, next } = cutPage(templates, page, ({ nameKey }) => [nameKey])
  const shown = rows.map((row) => ({ template: seenTemplate(unpackTemplate(row), lines), budget }))
  return { rows: shown, next, count: total?.count ?? 0 }
}

const itemsSeen = ({ items }: StoredTemplate, lines: readonly LineRow[]) => {
  const seen = new Set(lines.map(({ id }) => id))
  return Object.groupBy(items, ({ lineId }) => (seen.has(lineId) ? 'seen' : 'unseen'))
}

/** A template as the caller sees it: cards that rest, or that the caller does not see, have no lines. */
const seenTemplate = (template: StoredTemplate, lines: readonly LineRow[]): StoredTemplate => ({
  ...template,
  items: itemsSeen(template, lines).seen ?? [],
})

/** A template of items, or of what a period has. */
export async function createBudgetTemplate(
  ctx: SignedIn,
  budgetId: string,
  {
    name,
    items = [],
    period,
  }: {
    name: string
    items?: SentItems | undefined
    period?: string | undefined
  },
): Promise<ShownTemplate> {
  const { budget, made } =
    period === undefined
      ? await itemsSent(ctx, budgetId, items)
      : await itemsIn(ctx, budgetId, period)
  requireWrite(ctx, budget)
  const template: StoredTemplate = {
    id: freshId(ctx, 'btp'),
    budgetId,
    name,
    nameKey: foldKey(name),
    items: made,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    changes: [
      {
        statements: [...mustChange(ctx, budget), ...insertTemplate(template)],
        events: [
          budgetTemplateEvents.created(thingOf(budget, template), { after: contentOf(template) }),
        ],
      },
    ],
    result: { template, budget },
    conflicts,
  })
}

async function itemsSent(ctx: SignedIn, budgetId: string, items: SentItems) {
  const { budget, lines } = await readLines(ctx, budgetId)
  requireWrite(ctx, budget)
  return { budget, made: itemsFrom(items, budget, lines) }
}

async function itemsIn(ctx: SignedIn, budgetId: string, period: string) {
  const found = await getBudgetPeriod(ctx, budgetId, period, 'period')
  return { budget: found.budget, made: itemsOfPeriod(found) }
}

export async function updateBudgetTemplate(
  ctx: SignedIn,
  budgetId: string,
  id: string,
  { name, items }: { name?: string | undefined; items?: SentItems | undefined },
): Promise<ShownTemplate> {
  const { budget, template: before, lines } = await readForChange(ctx, budgetId, id)
  const after: StoredTemplate = {
    ...before,
    name: name ?? before.name,
    nameKey: foldKey(name ?? before.name),
    items: items
      ? [...itemsFrom(items, budget, lines), ...(itemsSeen(before, lines).unseen ?? [])]
      : before.items,
    version: before.version + 1,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    changes: [
      {
        statements: [...mustChange(ctx, budget), ...updateTemplate(before, after)],
        events: [
          budgetTemplateEvents.updated(thingOf(budget, after), {
            before: contentOf(before),
            after: contentOf(after),
          }),
        ],
      },
    ],
    result: { template: seenTemplate(after, lines), budget },
    conflicts,
  })
}

export async function deleteBudgetTemplate(
  ctx: SignedIn,
  budgetId: string,
  id: string,
): Promise<void> {
  const { budget, template } = await readForChange(ctx, budgetId, id)
  return commit(ctx, {
    changes: [
      {
        statements: [...mustChange(ctx, budget), ...eraseTemplate(template)],
        events: [
          budgetTemplateEvents.deleted(thingOf(budget, template), { before: contentOf(template) }),
        ],
      },
    ],
    result: undefined,
  })
}

async function readForChange(
  ctx: SignedIn,
  budgetId: string,
  id: string,
): Promise<ShownTemplate & { lines: LineRow[] }> {
  const [[found], [packed], stored, inside] = await read(
    ctx,
    budgetById(ctx, budgetId),
    templateById(budgetId, id),
    linesOfBudget({ id: budgetId, now: ctx.now }),
    accountsInsideOf(ctx, budgetId),
  )
  const budget = existingBudget(found)
  if (!packed) {
    throw budgetErrors.templateNotFound()
  }
  requireWrite(ctx, budget)
  const template = unpackTemplate(packed)
  requireVersion(ctx, template.version)
  const lines = withPaymentLines(budget, stored.map(unpackLine), inside)
  return { budget, template, lines: seenLines(budget, lines) }
}

const thingOf = (budget: BudgetRow, { id, version }: StoredTemplate) => ({
  id,
  version,
  ...ownerOf(budget),
})

const contentOf = ({ budgetId, name, items }: StoredTemplate) => ({ budgetId, name, items })

const conflicts = {
  'budget_templates.name_key': () => budgetErrors.templateNameTaken({ field: 'name' }),
}
