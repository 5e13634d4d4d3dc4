import { afterAll, expect } from 'vitest'
import { refuseLeaks, watchDatabase } from './canaries.ts'

// Not where a hundred thousand rows would be searched that no request has written.
afterAll(async () => {
  if (!expect.getState().testPath?.includes('/test/volume/')) {
    await watchDatabase()
    refuseLeaks()
  }
})
