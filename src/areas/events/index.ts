import type { Area } from '../area.ts'
import { changeFeedArea } from './change-feed/change-feed.area.ts'
import { changesArea } from './changes/changes.area.ts'
import { webhooksArea } from './webhooks/webhooks.area.ts'

/** Areas in which changes reach others, or are taken back. Ranked: an area may import the public files of those before it. */
export const events: Area[] = [changesArea, changeFeedArea, webhooksArea]
