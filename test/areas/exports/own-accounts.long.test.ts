import { describe, expect, it } from 'vitest'
import { addNothing, createSame, type Format } from './own-accounts.fixtures.ts'

const FORMATS: Format[] = ['csvExcel', 'json', 'ndjson', 'qif']

describe('an export of accounts in several currencies', () => {
  it.each(FORMATS)(
    'as %s creates the same accounts with the same balances for somebody who has nothing',
    async (format) => {
      await expect(createSame(format)).resolves.toBeUndefined()
    },
  )

  it.each(FORMATS)('as %s adds nothing to the accounts that it came from', async (format) => {
    await expect(addNothing(format)).resolves.toBeUndefined()
  })
})
