import { z } from '@hono/zod-openapi'
import { VERDICTS } from '../../../domain/imports/verdicts.ts'
import { integerField } from '../../../http/fields.ts'

const verdictCounts = Object.fromEntries(
  VERDICTS.map((verdict) => [
    verdict,
    integerField(`Number of rows with the verdict \`${verdict}\`.`, 0),
  ]),
) as Record<(typeof VERDICTS)[number], z.ZodNumber>

export const countsField = z
  .object({ rows: integerField('Number of rows.', 12), ...verdictCounts })
  .openapi('ImportCounts')
