import type { Reader } from '../../../../platform/readers.ts'
import { NOTED } from './notices.rules.ts'
import { writeNotices } from './notices.usecases.ts'

export const shareNoticesReader: Reader = {
  name: 'sharing.notices',
  types: NOTED,
  react: writeNotices,
}
