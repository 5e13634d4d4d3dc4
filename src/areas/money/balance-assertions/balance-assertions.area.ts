import type { Area } from '../../area.ts'
import { checkAssertionsJob } from './balance-assertions.jobs.ts'
import * as balanceAssertions from './balance-assertions.routes.ts'

export const balanceAssertionsArea: Area = {
  tag: 'Balance assertions',
  operations: [balanceAssertions],
  jobs: [checkAssertionsJob],
  nightly: [checkAssertionsJob],
}
