import type { Area } from '../../area.ts'

export const membershipsArea: Area = {}
