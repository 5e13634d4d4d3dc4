import type { Area } from '../area.ts'
import { auditLogArea } from './audit-log/audit-log.area.ts'
import { reportsArea } from './reports/reports.area.ts'
import { savedViewsArea } from './saved-views/saved-views.area.ts'
import { searchArea } from './search/search.area.ts'

/** Areas that evaluate data. Ranked: an area may import the public files of those before it. */
export const insight: Area[] = [reportsArea, searchArea, savedViewsArea, auditLogArea]
