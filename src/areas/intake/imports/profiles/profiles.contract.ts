import { z } from '@hono/zod-openapi'
import { FORMAT_KEYS } from '../../../../domain/bank-files/format.ts'
import {
  id,
  idInput,
  nameInput,
  nullableText,
  presentStamps,
  stamps,
  text,
  textField,
} from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'
import { pageQuery, pageResponse, presentPage } from '../../../../http/pagination.ts'
import { mappingField, mappingInput } from '../formats/mapping.contract.ts'
import type { StoredProfile } from './profiles.queries.ts'

export const ListImportProfilesQuery = z.strictObject(pageQuery())

const name = nameInput(100, 'Name of the profile.', 'My bank')
const accountId = idInput('acc', 'Account that the profile is for; any if it is left out.')

const format = z.enum(FORMAT_KEYS).openapi({ description: 'Format of the files.', example: 'csv' })

const shapeInput = z
  .array(text(0, 200, 'Heading, or kind of a column.', 'date'))
  .max(200)
  .openapi({ description: 'Headings or kinds of columns, by which files are recognised.' })

export const CreateImportProfileRequest = z
  .strictObject({
    name,
    accountId: accountId.optional(),
    importId: idInput('imp', 'Import whose mapping and shape it takes.').optional(),
    format: format.optional(),
    mapping: mappingInput.optional(),
    shape: shapeInput.optional(),
  })
  .refine(
    (sent) =>
      sent.importId === undefined
        ? sent.format !== undefined && sent.mapping !== undefined && sent.shape !== undefined
        : sent.format === undefined && sent.mapping === undefined && sent.shape === undefined,
    {
      ...must('must be sent, or else format, mapping and shape', 'combination'),
      path: ['importId'],
    },
  )
  .openapi('CreateImportProfileRequest')

export const UpdateImportProfileRequest = z
  .strictObject({
    name: name.optional(),
    accountId: accountId.nullable().optional(),
    mapping: mappingInput.optional(),
    shape: shapeInput.optional(),
  })
  .openapi('UpdateImportProfileRequest')

export const ImportProfileResponse = z
  .object({
    id: id('ipr', 'Id of the profile.'),
    name: textField('Name of the profile.', 'My bank'),
    accountId: nullableText('Account that the profile is for; null for any.'),
    format,
    mapping: mappingField.openapi({ description: 'How files are read.' }),
    shape: z
      .array(z.string())
      .openapi({ description: 'Headings or kinds of columns.', example: ['date', 'amount'] }),
    ...stamps,
  })
  .openapi('ImportProfileResponse')

export const ImportProfilesResponse = pageResponse(
  'importProfiles',
  ImportProfileResponse,
  'One page of the list, in order of creation.',
).openapi('ImportProfilesResponse')

type Profile = z.infer<typeof ImportProfileResponse>

export const presentImportProfile = (row: StoredProfile): Profile => ({
  ...{ id: row.id, name: row.name, accountId: row.accountId },
  format: row.format as Profile['format'],
  mapping: mappingField.parse(JSON.parse(row.mapping)),
  shape: JSON.parse(row.shape),
  ...presentStamps(row),
})

export const presentProfiles = presentPage('importProfiles', presentImportProfile)
