import type { Area } from '../../area.ts'
import * as charts from './charts/charts.routes.ts'
import * as flows from './flows/flows.routes.ts'
import * as reports from './reports.routes.ts'

export const reportsArea: Area = { tag: 'Reports', operations: [reports, flows, charts] }
