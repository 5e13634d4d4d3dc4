import type { Area } from '../../area.ts'
import { shareNoticesReader } from './sharing.readers.ts'
import * as sharing from './sharing.routes.ts'

export const sharingArea: Area = {
  tag: 'Sharing',
  operations: [sharing],
  readers: [shareNoticesReader],
}
