import type { z } from '@hono/zod-openapi'
import { toInstant } from '../../../http/fields.ts'
import { presentPayee } from '../payees.presenters.ts'
import type { AliasRow } from './aliases.queries.ts'
import type {
  ListPayeeAliasesResponse,
  PayeeAliasResponse,
  PayeeResolutionResponse,
} from './aliases.schemas.ts'
import type { Resolved } from './aliases.usecases.ts'

export const presentAlias = ({
  id,
  raw,
  createdAt,
}: AliasRow): z.infer<typeof PayeeAliasResponse> => ({ id, raw, createdAt: toInstant(createdAt) })

export const presentAliases = (aliases: AliasRow[]): z.infer<typeof ListPayeeAliasesResponse> => ({
  aliases: aliases.map(presentAlias),
  count: aliases.length,
})

export const presentResolution = ({
  raw,
  payee,
  reason,
  alias,
}: Resolved): z.infer<typeof PayeeResolutionResponse> => ({
  raw,
  payee: payee ? presentPayee(payee) : null,
  reason,
  alias,
})
