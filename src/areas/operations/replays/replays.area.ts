import type { Area } from '../../area.ts'

export const replaysArea: Area = {}
