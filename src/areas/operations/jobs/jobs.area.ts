import type { Area } from '../../area.ts'
import * as jobs from './jobs.routes.ts'

export const jobsArea: Area = { tag: 'Jobs', operations: [jobs] }
