import type { Area } from '../../area.ts'
import * as search from './search.routes.ts'

export const searchArea: Area = { tag: 'Search', operations: [search] }
