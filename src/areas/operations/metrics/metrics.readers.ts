import type { Reader } from '../../../platform/work/readers.ts'
import { DOWNLOADED, DOWNLOADS_READER } from './metrics.rules.ts'
import { addUpDownloads } from './metrics.usecases.ts'

export const downloadsReader: Reader = {
  name: DOWNLOADS_READER,
  types: [DOWNLOADED],
  fromStart: true,
  react: addUpDownloads,
}
