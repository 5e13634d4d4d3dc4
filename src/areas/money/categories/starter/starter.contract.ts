import { z } from '@hono/zod-openapi'
import { text } from '../../../../http/fields.ts'
import { CategoryResponse, presentCategory } from '../categories.contract.ts'
import { LANGUAGES } from './names.rules.ts'
import { HOUSEHOLDS } from './starter.rules.ts'
import type { Started } from './starter.usecases.ts'

const household = z
  .enum(HOUSEHOLDS)
  .openapi({ description: 'Kind of household that the set is for.', example: 'family' })

export const StarterCategoriesRequest = z
  .strictObject({
    locale: text(
      2,
      35,
      `Language of the names (${LANGUAGES.join(', ')}), as a locale of BCP 47; by default the language of the user. Other languages give English names.`,
      'de-AT',
    ).optional(),
    household: household.default('single'),
  })
  .openapi('StarterCategoriesRequest')

export const StarterCategoriesResponse = z
  .object({
    language: z.enum(LANGUAGES).openapi({ description: 'Language of the names.', example: 'de' }),
    household,
    created: z.array(CategoryResponse).openapi({
      description: 'Categories that were created, each parent before its subcategories.',
    }),
    existing: z.array(CategoryResponse).openapi({
      description: 'Existing categories with these names, which did not change.',
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
