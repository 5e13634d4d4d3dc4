import { afterEach } from 'vitest'
import { setPatience } from '../../src/platform/work/turns.ts'
import { PATIENCE } from './patience.ts'
import { expectNewLog, refuseLeaks, tellLog, watchLog } from './canaries.ts'

// A busy machine makes requests wait that a quiet one answers at once.
setPatience(PATIENCE)

expectNewLog()
watchLog()

afterEach(refuseLeaks)

afterEach(({ task }) => tellLog(task.result?.state === 'fail'))
