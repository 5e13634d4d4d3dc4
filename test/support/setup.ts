import { afterEach } from 'vitest'
import { expectNewLog, refuseLeaks, tellLog, watchLog } from './canaries.ts'

expectNewLog()
watchLog()

afterEach(refuseLeaks)

afterEach(({ task }) => tellLog(task.result?.state === 'fail'))
