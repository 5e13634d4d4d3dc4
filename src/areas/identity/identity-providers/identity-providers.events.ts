import {
  type Created,
  carries,
  defineEvents,
  type Deleted,
  type Updated,
} from '../../../platform/events.ts'
import type { MASK, ProviderContent } from './identity-providers.rules.ts'

interface Image extends ProviderContent {
  clientSecret: typeof MASK
}

interface Replaced {
  /** Only where it was replaced: both images of a secret look alike. */
  clientSecret?: [typeof MASK, typeof MASK]
}

export const providerEvents = defineEvents('identityProvider', {
  created: carries<Created<Image>>(),
  updated: carries<Updated<ProviderContent> & Replaced>(),
  deleted: carries<Deleted<Image>>(),
  tested: carries<{ failed: string[] }>(),
})
