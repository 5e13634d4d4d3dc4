import { expect, it } from 'vitest'
import { callOff } from './cancelling.fixtures.ts'

it('a commit of a file in its order that is called off tells what it booked', async () => {
  await expect(callOff(1)).resolves.toBeUndefined()
})
