import { registerChecks } from '../ledger/integrity/integrity.public.ts'
import { registerHooks } from '../ledger/ledger.public.ts'
import { registerOwnedData } from '../platform/owned-data/owned-data.ts'
import { checkLedger, recalculateJob } from '../ledger/integrity/checks.jobs.ts'
import { mailJob } from '../platform/outbound/mail.ts'
import { resealJob } from '../platform/secrets/reseal.ts'
import { type Area, nameAll, workOf } from './area.ts'
import { dataRights } from './data-rights/index.ts'
import { events } from './events/index.ts'
import { files } from './files/index.ts'
import { identity } from './identity/index.ts'
import { insight } from './insight/index.ts'
import { intake } from './intake/index.ts'
import { money } from './money/index.ts'
import { operations } from './operations/index.ts'
import { planning } from './planning/index.ts'
import { sharing } from './sharing/index.ts'
import { ownedByAreas } from './owned-data.ts'
export { unseenIn } from './operations/replays/replays.public.ts'

/** The districts, ranked: an area may import the public files of all areas in those before its own. */
export const areas = [
  ...identity,
  ...money,
  ...sharing,
  ...planning,
  ...files,
  ...operations,
  ...intake,
  ...insight,
  ...events,
  ...dataRights,
]

nameAll(areas)

/** The work of the platform and the ledger outside of requests. */
const kernel: Area = {
  jobs: [checkLedger, mailJob, recalculateJob, resealJob],
  nightly: [checkLedger, resealJob],
}

export const work = workOf([kernel, ...areas])

registerOwnedData(ownedByAreas)

/** The additions of areas to every change of transactions. Their statements stand in a batch in the order of the areas. */
export const ledgerHooks = areas.flatMap(({ hooks = [] }) => hooks)

registerHooks(ledgerHooks)

registerChecks(areas.flatMap(({ checks = [] }) => checks))
