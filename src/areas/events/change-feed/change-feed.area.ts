import type { Area } from '../../area.ts'
import * as changeFeed from './change-feed.routes.ts'

export const changeFeedArea: Area = { tag: 'Change feed', operations: [changeFeed] }
