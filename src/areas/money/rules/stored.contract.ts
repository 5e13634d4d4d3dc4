import type { Check } from '../../../domain/stored-values.ts'
import { z } from '@hono/zod-openapi'
import { AppError } from '../../../domain/errors.ts'
import { definitionFields } from './rules.contract.ts'
import { idsNamed, requireDefinition } from './rules.rules.ts'

const Definition = z.strictObject({
  ...definitionFields,
  ids: z.array(z.string().max(64)).max(3000),
})

/** Checks the stored definition of a rule: it may come from an archive of anybody. */
export const storedRuleDefinition: Check = (value) => {
  const { success, data } = Definition.safeParse(value)
  if (!success) {
    return false
  }
  try {
    const condition = requireDefinition(data)
    // By these ids SQL finds the labels and accounts that are gone.
    const named = idsNamed({ ...data, condition })
    return named.every((id) => data.ids.includes(id))
  } catch (error) {
    if (error instanceof AppError) {
      return false
    }
    throw error
  }
}
