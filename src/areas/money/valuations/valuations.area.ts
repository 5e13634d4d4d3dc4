import type { Area } from '../../area.ts'
import * as valuations from './valuations.routes.ts'

export const valuationsArea: Area = { tag: 'Valuations', operations: [valuations] }
