import type { Area } from '../../area.ts'
import * as valuations from './valuations.routes.ts'

export const valuationsArea: Area = { operations: [valuations] }
