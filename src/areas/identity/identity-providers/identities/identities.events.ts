import { type Created, carries, defineEvents, type Deleted } from '../../../../platform/events.ts'

interface Subject {
  issuer: string
  subject: string
}

export const identityEvents = defineEvents('identity', {
  linked: carries<Created<Subject & { provider: string }>>(),
  unlinked: carries<Deleted<Subject>>(),
})
