import { z } from '@hono/zod-openapi'
import { text } from '../../../../http/fields.ts'
import { CategoryResponse, presentCategory } from '../categories.contract.ts'
import { LANGUAGES } from './names.rules.ts'
import { HOUSEHOLDS } from './starter.rules.ts'
import type { Started } from './starter.usecases.ts'

const household = z
  .enum(HOUSEHOLDS)
  .openapi({ description: 'Whom the set is for.', example: 'family' })

export const StarterCategoriesRequest = z
  .strictObject({
    locale: text(
      2,
      35,
      `The language of the names (${LANGUAGES.join(', ')}), as a locale of BCP 47; without it that of the user. Any other gives English.`,
      'de-AT',
    ).optional(),
    household: household.default('single'),
  })
  .openapi('StarterCategoriesRequest')

export const StarterCategoriesResponse = z
  .object({
    language: z
      .enum(LANGUAGES)
      .openapi({ description: 'The language of the names.', example: 'de' }),
    household,
    created: z
      .array(CategoryResponse)
      .openapi({ description: 'What is new, each parent before what stands below it.' }),
    existing: z.array(CategoryResponse).openapi({
      description: 'What was there already under these names, and stays as it was.',
    }),
  })
  .openapi('StarterCategoriesResponse')

export const presentStarted = ({
  created,
  existing,
  ...about
}: Started): z.infer<typeof StarterCategoriesResponse> => ({
  ...about,
  created: created.map(presentCategory),
  existing: existing.map(presentCategory),
})
