import type { Area } from '../area.ts'
import { attachmentsArea } from './attachments/attachments.area.ts'
import { storageClassesArea } from './storage-classes/storage-classes.area.ts'

/** Files, and where they are kept. Ranked: an area may import the public files of those before it. */
export const files: Area[] = [storageClassesArea, attachmentsArea]
