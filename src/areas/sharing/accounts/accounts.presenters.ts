import type { z } from '@hono/zod-openapi'
import { rightOfRank } from '../../../domain/sharing.ts'
import { toInstantOrNull } from '../../../http/fields.ts'
import type { Person } from './accounts.queries.ts'
import type { AccountSharesResponse } from './accounts.schemas.ts'

export const presentPeople = (people: Person[]): z.infer<typeof AccountSharesResponse> => ({
  people: people.map((person) => ({
    userId: person.userId,
    name: person.name,
    source: person.shareId === null ? 'owner' : person.groupId === null ? 'share' : 'group',
    shareId: person.shareId,
    groupId: person.groupId,
    permission: rightOfRank(person.rank),
    writeScope: person.ownRows ? 'own' : 'all',
    expiresAt: toInstantOrNull(person.expiresAt),
  })),
  count: people.length,
})
