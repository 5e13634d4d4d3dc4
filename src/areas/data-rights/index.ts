import type { Area } from '../area.ts'
import { backupsArea } from './backups/backups.area.ts'
import { exportsArea } from './exports/exports.area.ts'
import { ownUserArea } from './own-user/own-user.area.ts'

/**
 * Areas for what users do with all of their own data. They are ranked: an area may import the public files of those
 * before it.
 */
export const dataRights: Area[] = [ownUserArea, backupsArea, exportsArea]
