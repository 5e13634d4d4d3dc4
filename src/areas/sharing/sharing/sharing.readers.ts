import type { Reader } from '../../../platform/work/readers.ts'
import { NOTED } from './sharing.rules.ts'
import { writeNotices } from './sharing.usecases.ts'

export const shareNoticesReader: Reader = {
  name: 'sharing.notices',
  types: NOTED,
  react: writeNotices,
}
