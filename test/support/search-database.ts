import { afterAll, expect } from 'vitest'
import { refuseLeaks, watchDatabase } from './canaries.ts'

/** Areas that make, take or store secrets, or keep what requests brought: of all others, the sweeps send each operation. */
const OF_SECRETS =
  'access-tokens|attachments|audit-log|auth|backups|groups|identity-providers|invites|jobs|own-user|queue-tasks|settings|user-administration'

/** Whose database is searched: looking through all rows takes longer than many a file of the other areas. */
const SEARCHED = new RegExp(`/test/(?:sweeps|http|platform|areas/(?:${OF_SECRETS}))/`)

if (SEARCHED.test(expect.getState().testPath ?? '')) {
  afterAll(async () => {
    await watchDatabase()
    refuseLeaks()
  })
}
