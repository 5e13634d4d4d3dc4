import type { Area } from '../../area.ts'
import * as serviceInfo from './service-info.routes.ts'

export const serviceInfoArea: Area = { tag: 'Service', operations: [serviceInfo] }
