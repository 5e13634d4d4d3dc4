import type { Area } from '../../area.ts'
import * as currencies from './currencies.routes.ts'

export const currenciesArea: Area = { tag: 'Currencies', operations: [currencies] }
