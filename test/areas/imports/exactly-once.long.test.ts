import { expect, it } from 'vitest'
import { bookedOnceOf } from './exactly-once.fixtures.ts'

it('ten imports of 1,000 rows at the same moment book each row once', async () => {
  await expect(bookedOnceOf(1000)).resolves.toBeUndefined()
})
