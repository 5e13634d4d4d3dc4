import { afterAll, expect } from 'vitest'
import { refuseLeaks, watchDatabase } from './canaries.ts'

/** What stores its rows past the service, and many of them: no request has written what would be searched. */
const PAST_THE_SERVICE = /\/test\/(?:hosts|kills|statements|volume)\//

if (!PAST_THE_SERVICE.test(expect.getState().testPath ?? '')) {
  afterAll(async () => {
    await watchDatabase()
    refuseLeaks()
  })
}
