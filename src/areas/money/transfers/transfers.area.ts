import type { Area } from '../../area.ts'
import * as transfers from './transfers.routes.ts'

export const transfersArea: Area = {
  tag: 'Transfers',
  operations: [transfers],
}
