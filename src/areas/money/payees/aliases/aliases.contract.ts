import { z } from '@hono/zod-openapi'
import { count, id, instant, textField, text, toInstant } from '../../../../http/fields.ts'
import { aliasText, PayeeResponse, presentPayee } from '../payees.contract.ts'
import type { AliasRow } from './aliases.queries.ts'
import type { Resolved } from './aliases.usecases.ts'

export const CreatePayeeAliasRequest = z
  .strictObject({ raw: aliasText })
  .openapi('CreatePayeeAliasRequest')

export const PayeeAliasResponse = z
  .object({
    id: id('pal', 'Id of the alias.'),
    raw: textField('What a bank writes instead of the name.', 'TESCO STORES 3021'),
    createdAt: instant('When it was added.'),
  })
  .openapi('PayeeAliasResponse')

export const ListPayeeAliasesResponse = z
  .object({
    aliases: z.array(PayeeAliasResponse).openapi({ description: 'In order of creation.' }),
    count,
  })
  .openapi('ListPayeeAliasesResponse')

export const ResolvePayeeQuery = z.strictObject({
  raw: text(1, 500, 'The other side as a bank wrote it.', 'TESCO STORES 3021'),
})

export const PayeeResolutionResponse = z
  .object({
    raw: textField('What was asked for.', 'tesco stores 3021'),
    payee: z.union([PayeeResponse, z.null()]).openapi({
      description: 'The payee that a new transaction gets for it; null for none.',
    }),
    reason: z
      .enum(['alias', 'name'])
      .nullable()
      .openapi({ description: 'Whether an alias says so, or the name itself.', example: 'alias' }),
    alias: textField('The alias that says so.', 'TESCO STORES 3021').nullable(),
  })
  .openapi('PayeeResolutionResponse')

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
