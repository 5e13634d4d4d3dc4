import { expect, it } from 'vitest'
import { callOff } from './cancelling.fixtures.ts'

it('a commit of a file from its end that is called off tells what it booked', async () => {
  await expect(callOff(-1)).resolves.toBeUndefined()
})
