import { carries, defineEvents } from '../../../platform/log/events.ts'

interface Erased {
  accountId?: string
  transactions?: number
  rows?: number
}

export const trashEvents = defineEvents('trash', {
  emptied: carries<{ transactions: number; rows: number; accounts: number }>(),
  purgeBegun: carries(),
  erased: carries<Erased>(),
  erasureContinued: carries(),
  erasureDone: carries(),
})
