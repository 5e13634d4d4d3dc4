import { z } from '@hono/zod-openapi'
import { count, id, idInput, nameInput, output, stamps, whole } from '../../../http/fields.ts'

const name = nameInput(100, 'Unique among the own folders, apart from case and width.', 'Savings')

const order = whole('Place in the list; equal ones go by name.', 0).min(-1_000_000).max(1_000_000)

const accountIds = z
  .array(idInput('acc', 'An account.'))
  .max(500)
  .openapi({
    description: 'The accounts in it, in place of those that it has. They leave other folders.',
    example: ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'],
  })

export const CreateAccountGroupRequest = z
  .strictObject({ name, order: order.default(0), accountIds: accountIds.default([]) })
  .openapi('CreateAccountGroupRequest')

export const UpdateAccountGroupRequest = z
  .strictObject({
    name: name.optional(),
    order: order.optional(),
    accountIds: accountIds.optional(),
  })
  .openapi('UpdateAccountGroupRequest')

export const AccountGroupResponse = z
  .object({
    id: id('agr', 'Id of the folder.'),
    name: output('Its name.', 'Savings'),
    order: whole('Place in the list.', 0),
    accountIds: z.array(z.string()).openapi({
      description: 'The accounts in it, in the order of the list of accounts.',
      example: ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'],
    }),
    ...stamps,
  })
  .openapi('AccountGroupResponse')

export const ListAccountGroupsResponse = z
  .object({
    accountGroups: z.array(AccountGroupResponse).openapi({ description: 'In their order.' }),
    count,
  })
  .openapi('ListAccountGroupsResponse')
