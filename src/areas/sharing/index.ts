import type { Area } from '../area.ts'
import { groupsArea } from './groups/groups.area.ts'
import { sharingArea } from './sharing/sharing.area.ts'

/** The areas about sharing: shares and groups. Ranked: an area may import the public files of those before it. */
export const sharing: Area[] = [sharingArea, groupsArea]
