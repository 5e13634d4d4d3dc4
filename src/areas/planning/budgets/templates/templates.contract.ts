import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  id,
  idInput,
  money,
  moneyInput,
  nameInput,
  presentStamps,
  stamps,
  textField,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import { assignMode, dryRun } from '../amounts/amounts.contract.ts'
import { unique } from '../budgets.contract.ts'
import { periodName } from '../periods/periods.contract.ts'
import type { ShownTemplate } from './templates.usecases.ts'

const name = nameInput(
  100,
  'Name of the template; unique in the budget, regardless of case and width.',
  'A usual month',
)

const items = z
  .array(
    z
      .strictObject({
        lineId: idInput('bln', 'Id of the line.'),
        amount: moneyInput(
          'Amount that the line is assigned, which may be negative; in budgets of limits, its limit.',
        ),
      })
      .openapi('BudgetTemplateItemInput'),
  )
  .min(1)
  .max(500)
  .refine((sent) => unique(sent.map(({ lineId }) => lineId)), 'must not name a line twice')
  .openapi({ description: 'Lines with their amounts.' })

export const CreateBudgetTemplateRequest = z
  .strictObject({
    name,
    items: items.optional(),
    period: periodName.optional().openapi({
      description: 'Period whose amounts the template takes: its nominal start, or `current`.',
    }),
  })
  .refine(
    (sent) => (sent.items === undefined) !== (sent.period === undefined),
    must('must have either `items` or `period`', 'combination'),
  )
  .openapi('CreateBudgetTemplateRequest')

export const UpdateBudgetTemplateRequest = z
  .strictObject({ name: name.optional(), items: items.optional() })
  .openapi('UpdateBudgetTemplateRequest')

export const ApplyBudgetTemplateRequest = z
  .strictObject({
    period: periodName,
    mode: assignMode.optional(),
    dryRun: dryRun.optional(),
  })
  .openapi('ApplyBudgetTemplateRequest')

export const ListBudgetTemplatesQuery = z.strictObject(pageQuery())

export const BudgetTemplateResponse = z
  .object({
    id: id('btp', 'Id of the template.'),
    name: textField('Name of the template.', 'A usual month'),
    items: z
      .array(
        z.object({
          lineId: id('bln', 'Id of the line.'),
          amount: money('Amount that the line is assigned, or its limit.'),
        }),
      )
      .openapi({
        description: 'Lines with their amounts. Lines that are not in a period are left out there.',
      }),
    ...stamps,
  })
  .openapi('BudgetTemplateResponse')

export const BudgetTemplatesResponse = pageResponse(
  'templates',
  BudgetTemplateResponse,
  'One page of templates, by name.',
).openapi('BudgetTemplatesResponse')

export const presentTemplate = ({
  template,
  budget: { currency },
}: ShownTemplate): z.infer<typeof BudgetTemplateResponse> => ({
  id: template.id,
  name: template.name,
  items: template.items.map(({ lineId, amountMinor }) => ({
    lineId,
    amount: formatMoney(amountMinor, currency),
  })),
  ...presentStamps(template),
})

export const presentTemplates = presentPage('templates', presentTemplate)
