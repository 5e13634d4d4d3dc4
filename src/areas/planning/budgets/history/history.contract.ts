import { z } from '@hono/zod-openapi'
import { date, dateInput } from '../../../../http/fields.ts'
import { EnvelopeRow, LimitRow } from '../periods/periods.contract.ts'
import { presentEnvelopeRows, presentLimitRows } from '../periods/periods-presented.contract.ts'
import type { FoundPeriod } from '../periods/periods.rules.ts'
import type { LineHistory } from './history.usecases.ts'

export const GetLineHistoryQuery = z.strictObject({
  from: dateInput(
    'Nominal start of the first period; by default there are 24 periods, or all since the budget began.',
  ).optional(),
  to: dateInput('Nominal start of the last period; the current one if left out.').optional(),
})

const days = {
  period: date('Nominal start, which names the period.'),
  start: date('First day.'),
  end: date('Last day.'),
}

const EnvelopeOfPeriod = z.object({ ...days, ...EnvelopeRow.shape }).openapi('EnvelopeOfPeriod')
const LimitOfPeriod = z.object({ ...days, ...LimitRow.shape }).openapi('LimitOfPeriod')

export const LineHistoryResponse = z
  .object({
    periods: z.array(z.union([EnvelopeOfPeriod, LimitOfPeriod])).openapi({
      description: 'The row of the line in each period that it is in, the oldest first.',
    }),
  })
  .openapi('LineHistoryResponse')

type Row = z.infer<typeof EnvelopeOfPeriod> | z.infer<typeof LimitOfPeriod>

function rowsOf(found: FoundPeriod): Row[] {
  const { nominal: period, start, end } = found.of.period
  const rows =
    found.mode === 'envelope'
      ? presentEnvelopeRows(found, found.of)
      : presentLimitRows(found, found.of)
  return rows.map((row) => ({ period, start, end, ...row }))
}

export const presentHistory = ({
  lineId,
  periods,
}: LineHistory): z.infer<typeof LineHistoryResponse> => ({
  periods: periods.flatMap(rowsOf).filter((row) => row.lineId === lineId),
})
