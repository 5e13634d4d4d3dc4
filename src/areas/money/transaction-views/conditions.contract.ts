import { z } from '@hono/zod-openapi'
import { MOST_TERMS, termsIn } from '../../../domain/conditions/line.ts'
import { jsonInQuery, text } from '../../../http/fields.ts'
import { must } from '../../../http/issues.ts'

/** Only the shape: what it says is checked where it is used, so that the error names the place in it. */
export const Condition = z.record(z.string(), z.unknown()).openapi('Condition', {
  description:
    'A condition: `all`, `any` or `not` of conditions, or a comparison with `field`, `op` and `value`. At most 5 levels and 20 comparisons.',
  example: {
    all: [
      { field: 'text', op: 'contains', value: 'market' },
      { not: { field: 'amount', op: 'below', value: '20' } },
    ],
  },
})

/** A condition in one line. */
export const lineInput = text(
  1,
  200,
  'A condition in one line, such as `payee:"Blue Bottle" amount>20 -tag:trip`. At most 20 terms, all of which must hold.',
  'rewe amount>20 date:2026-10',
).refine(
  (line) => termsIn(line).length <= MOST_TERMS,
  must(`must have at most ${MOST_TERMS} terms`, 'length'),
)

/** A condition as text in a query. */
export const conditionInQuery = jsonInQuery(Condition, {
  maxLength: 4000,
  description: 'A condition as JSON, with the fields of `Condition`.',
  example: '{"field":"text","op":"contains","value":"market"}',
})
