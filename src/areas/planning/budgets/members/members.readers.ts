import type { Reader } from '../../../../platform/work/readers.ts'
import { tellDepartures } from './members.usecases.ts'

export const departuresReader: Reader = {
  name: 'budgets.departures',
  types: ['account.unshared'],
  react: tellDepartures,
}
