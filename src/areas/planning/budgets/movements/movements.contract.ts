import { z } from '@hono/zod-openapi'
import { toInstant } from '../../../../domain/calendar.ts'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  date,
  dateInput,
  id,
  idInput,
  instant,
  money,
  moneyInput,
  nextCursor,
  nullableText,
  text,
  textField,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { type Listed, pageQuery } from '../../../../http/pagination.ts'
import type { StoredMovement } from '../amounts/changes.rules.ts'
import type { AmountsMade } from '../amounts/changes.usecases.ts'

const MOVEMENT_KINDS = ['assign', 'move', 'cover', 'auto', 'template', 'undo'] as const

const kind = z.enum(MOVEMENT_KINDS).openapi({
  description:
    '`assign`: set by hand; `move` and `cover`: moved; `auto`: assigned by targets and other rules; `template`: applied from one; `undo`: moved back.',
  example: 'move',
})

export const MoveMoneyRequest = z
  .strictObject({
    from: idInput('bln', 'Line that the money comes from, or `pool`.'),
    to: idInput('bln', 'Line that the money goes to, or `pool`.'),
    amount: moneyInput('Money to move; more than 0.').optional(),
    toCover: z.literal(true).optional().openapi({
      description: 'Moves as much as `to` is negative by. Send either this or `amount`.',
      example: true,
    }),
    partial: z.literal(true).optional().openapi({
      description:
        'With `toCover`: moves what `from` has where that is less, instead of refusing. Refused where it has nothing.',
      example: true,
    }),
    note: text(0, 2000, 'Note on the movement.', 'Concert').nullable().optional(),
    allowNegative: z.boolean().optional().openapi({
      description: 'Whether `from` may become negative. Default: false.',
      example: false,
    }),
  })
  .refine(({ from, to }) => from !== to, {
    ...must('must differ from `from`', 'combination'),
    path: ['to'],
  })
  .refine(
    ({ amount, toCover }) => (amount === undefined) !== (toCover === undefined),
    must('must have either `amount` or `toCover`', 'combination'),
  )
  .refine(({ partial, toCover }) => !partial || toCover, {
    ...must('goes with `toCover` only', 'combination'),
    path: ['partial'],
  })
  .openapi('MoveMoneyRequest')

export const ListMovementsQuery = z.strictObject({
  period: dateInput('Only movements of the period with this nominal start.').optional(),
  lineId: idInput('bln', 'Only movements from or to this line.').optional(),
  kind: kind.optional(),
  ...pageQuery(),
})

export const MovementResponse = z
  .object({
    id: id('bmv', 'Id of the movement.'),
    period: date('Nominal start of the period.'),
    from: textField('Line that the money came from, or `pool`.', 'pool'),
    to: textField('Line that the money went to, or `pool`.', 'pool'),
    amount: money('The money that was moved.'),
    currency: currency('Currency of the budget.'),
    kind,
    note: nullableText('Note on the movement.'),
    actorId: id('usr', 'User who moved the money.'),
    at: instant('Instant of the movement.'),
    undoneBy: nullableText('The movement that undid this one.'),
  })
  .openapi('MovementResponse')

export const MovementsResponse = z
  .object({
    movements: z.array(MovementResponse).openapi({ description: 'One page, newest first.' }),
    count,
    nextCursor,
  })
  .openapi('MovementsResponse')

const present = (movement: StoredMovement, code: string): z.infer<typeof MovementResponse> => ({
  id: movement.id,
  period: movement.period,
  from: movement.fromLineId ?? 'pool',
  to: movement.toLineId ?? 'pool',
  amount: formatMoney(movement.amountMinor, code),
  currency: code,
  kind: movement.kind,
  note: movement.note,
  actorId: movement.actorId,
  at: toInstant(movement.createdAt),
  undoneBy: movement.undoneBy,
})

export function presentMovement({
  movements: [movement],
  after,
}: AmountsMade): z.infer<typeof MovementResponse> {
  if (!movement) {
    throw new Error('nothing was moved')
  }
  return present(movement, after.budget.currency)
}

export const presentMovements = ({
  rows,
  currency: code,
  count: total,
  nextCursor: next,
}: Listed<StoredMovement> & { currency: string }): z.infer<typeof MovementsResponse> => ({
  movements: rows.map((movement) => present(movement, code)),
  count: total,
  nextCursor: next,
})
