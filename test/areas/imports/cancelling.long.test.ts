import { it } from 'vitest'
import { callOff } from './cancelling.fixtures.ts'

it('a commit of a file in its order that is called off tells what it booked', () => callOff(1))
