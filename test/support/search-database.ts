import { afterAll } from 'vitest'
import { refuseLeaks, watchDatabase } from './canaries.ts'

// Not where a hundred thousand rows would be searched that no request has written.
afterAll(async () => {
  await watchDatabase()
  refuseLeaks()
})
