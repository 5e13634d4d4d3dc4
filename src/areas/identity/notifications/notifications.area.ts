import type { Area } from '../../area.ts'

export const notificationsArea: Area = {}
