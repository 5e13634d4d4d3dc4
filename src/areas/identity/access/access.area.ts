import type { Area } from '../../area.ts'

export const accessArea: Area = {}
