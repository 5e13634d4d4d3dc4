import { carries, defineEvents } from '../../platform/log/events.ts'

export const projectionEvents = defineEvents('account', {
  /** A projection was not what the entries say; of many findings it names the first. */
  recalculated: carries<{ differences: number; findings: string[] }>(),
})
