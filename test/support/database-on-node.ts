import { keepBy } from './again.ts'
import { keepAll, openFreshDatabase } from './node-host.ts'

// A database for each file takes less time than one for all: what looks through all rows finds those of the file alone.
await openFreshDatabase()

keepBy(keepAll)
