import {
  type Created,
  carries,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/log/events.ts'
import type { Bounds } from './access-tokens.rules.ts'

interface TokenContent extends Bounds {
  name: string
}

export const accessTokenEvents = defineEvents('accessToken', {
  created: carries<Created<TokenContent>>(),
  updated: carries<Updated<TokenContent>>(),
  revoked: carries<Deleted<TokenContent>>(),
  refused: carries(),
})
