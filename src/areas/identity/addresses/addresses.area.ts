import type { Area } from '../../area.ts'

export const addressesArea: Area = {}
