import type { Area } from '../area.ts'
import { backupsArea } from './backups/backups.area.ts'
import { exportsArea } from './exports/exports.area.ts'
import { ownUserArea } from './own-user/own-user.area.ts'

/** What users do with their own data as a whole. Ranked: an area may import the public files of those before it. */
export const dataRights: Area[] = [ownUserArea, backupsArea, exportsArea]
