import type { SignedIn } from '../../../../platform/context.ts'
import { nothing } from '../../../../platform/statements.ts'
import { assignMoves, requireEnvelope } from '../amounts/changes.rules.ts'
import {
  type AmountsChange,
  assignedEvents,
  changeAmountsInto,
} from '../amounts/changes.usecases.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { appliedEvent } from '../templates/applying.usecases.ts'
import {
  type PackedTemplate,
  templateById,
  unpackTemplate,
} from '../templates/templates.queries.ts'
import type { StoredTemplate } from '../templates/templates.rules.ts'
import {
  type AmountItem,
  type AssignMethod,
  type AssignMode,
  itemsOf,
  periodsBack,
  type AssignedItems,
} from './assigning.rules.ts'

interface AssignInput {
  method: AssignMethod['method']
  periods?: 3 | 6 | 12 | undefined
  templateId?: string | undefined
  lineIds?: string[] | undefined
  mode?: AssignMode | undefined
  keep?: boolean | undefined
  dryRun?: boolean | undefined
}

/** Assigns money to lines by a method, or says what it would assign. */
export async function assignMoney(
  ctx: SignedIn,
  budgetId: string,
  period: string,
  { mode = 'set', keep = false, dryRun = false, lineIds, ...sent }: AssignInput,
): Promise<AssignedItems> {
  const back = periodsBack(methodOf(sent, undefined))
  const { templateId } = sent
  let items: AmountItem[] = []
  return changeAmountsInto(
    ctx,
    budgetId,
    {
      ...{ period, back },
      beside:
        templateId === undefined ? nothing<PackedTemplate>() : templateById(budgetId, templateId),
    },
    (seen, [packed]): AmountsChange => {
      const template = packed && unpackTemplate(packed)
      if (templateId !== undefined && !template) {
        throw budgetErrors.unknownTemplate({ field: 'templateId' })
      }
      const how = methodOf(sent, template)
      const found = requireEnvelope(seen.before, 'Assigning money')
      const { index } = seen.period
      const earlier =
        seen.figures.mode === 'envelope'
          ? seen.figures.periods.filter((one) => one.period.index < index).slice(-back)
          : []
      items = itemsOf(how, { found, earlier, mode, keep, lineIds })
      const kind = MOVEMENT_KIND_OF[how.method] ?? 'auto'
      const moves = items.flatMap((one) => assignMoves(one.lineId, one.after - one.before))
      const events = () =>
        template ? [appliedEvent(seen, template, items)] : assignedEvents(seen, { kind, moves })
      return { moves, kind, events }
    },
    {
      dryRun,
      resultOf: ({ after }) => {
        const { budget, of } = requireEnvelope(after, 'Assigning money')
        return { budget, items, toBeBudgeted: of.figures.toBeBudgeted }
      },
    },
  )
}

const MOVEMENT_KIND_OF: Partial<Record<AssignMethod['method'], 'cover' | 'template'>> = {
  cover: 'cover',
  template: 'template',
}

/** The schema of the request has seen to it that what the method needs is there. */
function methodOf(
  { method, periods }: AssignInput,
  template: StoredTemplate | undefined,
): AssignMethod {
  if (method === 'template') {
    return { method, items: template?.items ?? [] }
  }
  return method === 'averageAssigned' || method === 'averageSpent'
    ? { method, periods: periods ?? 3 }
    : { method }
}
