import { eventTypes } from '../../../platform/log/events.ts'
import type { Reader } from '../../../platform/work/readers.ts'
import { dispatchEvents } from './sending.usecases.ts'
import { DISPATCH } from './webhooks.queries.ts'

export const dispatchReader: Reader = {
  name: DISPATCH,
  of: 'listeners',
  // Once all areas have declared theirs.
  get types() {
    return [...eventTypes()]
  },
  react: dispatchEvents,
}
