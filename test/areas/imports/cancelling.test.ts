import { it } from 'vitest'
import { callOff } from './cancelling.fixtures.ts'

it('a commit of a file from its end that is called off tells what it booked', () => callOff(-1))
