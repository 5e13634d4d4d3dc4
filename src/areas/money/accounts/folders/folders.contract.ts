import { z } from '@hono/zod-openapi'
import {
  count,
  id,
  idInput,
  nameInput,
  textField,
  presentStamps,
  stamps,
  integerField,
} from '../../../../http/fields.ts'
import type { Group } from './folders.queries.ts'

const name = nameInput(
  100,
  'Name of the folder; unique among your own folders, regardless of case and width.',
  'Savings',
)

const order = integerField(
  'Position in the list; folders with the same position are sorted by name.',
  0,
)
  .min(-1_000_000)
  .max(1_000_000)

const accountIds = z
  .array(idInput('acc', 'Id of an account.'))
  .max(500)
  .openapi({
    description:
      'Accounts of the folder; they replace its present accounts and leave other folders.',
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
    name: textField('Name of the folder.', 'Savings'),
    order: integerField('Position in the list.', 0),
    accountIds: z.array(z.string()).openapi({
      description: 'Ids of the accounts in the folder, in the order of the account list.',
      example: ['acc_01k9v3q8m5t0w2x4y6z8a1b3c5'],
    }),
    ...stamps,
  })
  .openapi('AccountGroupResponse')

export const AccountGroupsResponse = z
  .object({
    accountGroups: z
      .array(AccountGroupResponse)
      .openapi({ description: 'Folders in their order.' }),
    count,
  })
  .openapi('AccountGroupsResponse')

export const presentFolder = (group: Group): z.infer<typeof AccountGroupResponse> => ({
  id: group.id,
  name: group.name,
  order: group.order,
  accountIds: group.accountIds,
  ...presentStamps(group),
})

export const presentFolders = (groups: Group[]): z.infer<typeof AccountGroupsResponse> => ({
  accountGroups: groups.map(presentFolder),
  count: groups.length,
})
