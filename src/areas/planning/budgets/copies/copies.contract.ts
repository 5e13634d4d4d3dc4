import { z } from '@hono/zod-openapi'
import { dateInput, idInput, nameInput } from '../../../../http/fields.ts'
import { periodName } from '../periods/periods.contract.ts'

export const CopyBudgetRequest = z
  .strictObject({
    name: nameInput(
      100,
      'Name of the copy; unique for its owner, regardless of case and width.',
      'Next year',
    ),
    groupId: idInput(
      'grp',
      'Group to which the copy belongs; your own budget if left out.',
    ).optional(),
    startsOn: dateInput('A day of the first period of the copy; today if left out.').optional(),
    amountsOf: periodName.optional().openapi({
      description:
        'Period whose amounts the first period of the copy gets: its nominal start, or `current`. They are copied even if the pool has less.',
    }),
  })
  .openapi('CopyBudgetRequest')
