import type { Area } from '../../area.ts'

export const transactionViewsArea: Area = {}
