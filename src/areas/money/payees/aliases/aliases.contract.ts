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
    raw: textField('Text that a bank writes instead of the name.', 'TESCO STORES 3021'),
    createdAt: instant('Time at which the alias was added.'),
  })
  .openapi('PayeeAliasResponse')

export const PayeeAliasesResponse = z
  .object({
    aliases: z.array(PayeeAliasResponse).openapi({ description: 'Aliases in order of creation.' }),
    count,
  })
  .openapi('PayeeAliasesResponse')

export const ResolvePayeeQuery = z.strictObject({
  raw: text(1, 500, 'The other party as a bank wrote it.', 'TESCO STORES 3021'),
})

export const PayeeResolutionResponse = z
  .object({
    raw: textField('Text that was searched for.', 'tesco stores 3021'),
    payee: z.union([PayeeResponse, z.null()]).openapi({
      description: 'Payee that a new transaction with this text gets; null for none.',
    }),
    reason: z.enum(['alias', 'name']).nullable().openapi({
      description: 'Whether the payee was found by an alias or by its name.',
      example: 'alias',
    }),
    alias: textField('Alias by which the payee was found.', 'TESCO STORES 3021').nullable(),
  })
  .openapi('PayeeResolutionResponse')

export const presentAlias = ({
  id,
  raw,
  createdAt,
}: AliasRow): z.infer<typeof PayeeAliasResponse> => ({ id, raw, createdAt: toInstant(createdAt) })

export const presentAliases = (aliases: AliasRow[]): z.infer<typeof PayeeAliasesResponse> => ({
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
