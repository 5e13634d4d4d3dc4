import { z } from '@hono/zod-openapi'
import { count, dateInput, maybe, money, nextCursor } from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import {
  RegisterTransactionResponse,
  statusField,
} from '../../transaction-views/transaction-views.public.ts'
import { AccountResponseDTO } from '../accounts.schemas.ts'

export const AccountDetailsQuery = z.strictObject({
  from: dateInput('First day.').optional(),
  to: dateInput('Last day.').optional(),
  status: statusField.optional(),
  ...pageQuery(),
})

const register = {
  transactions: z.array(RegisterTransactionResponse).openapi({ description: 'Newest first.' }),
  count,
  nextCursor,
}

export const RegisterResponse = z.object(register).openapi('RegisterResponse')

export const AccountDetailsResponseDTO = z
  .object({
    account: AccountResponseDTO,
    ...register,
    summary: z
      .object({
        inflow: money('What came in.'),
        outflow: money('What went out, as a positive amount.'),
        net: money('The difference.'),
        from: maybe('First day asked for.'),
        to: maybe('Last day asked for.'),
      })
      .openapi({ description: 'Over all that match, not this page alone.' }),
  })
  .openapi('AccountDetailsResponseDTO')
