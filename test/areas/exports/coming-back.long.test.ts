import { expect, it } from 'vitest'
import { comeBack } from './coming-back.fixtures.ts'

it.each(['csvExcel', 'ndjson'] as const)(
  '%s comes back with status, ids of banks, transfers and what they cost',
  async (format) => {
    await expect(comeBack(format)).resolves.toBeUndefined()
  },
)
