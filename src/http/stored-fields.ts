import type { z } from '@hono/zod-openapi'
import type { Check } from '../domain/stored-values.ts'

/** A check of stored values by a schema of the API. A text must be as the schema leaves it, such as without spaces around it. */
export const takenBy =
  (schema: z.ZodType): Check =>
  (value) => {
    const { success, data } = schema.safeParse(value)
    return success && (typeof data !== 'string' || data === value)
  }

/** Checks of columns by the fields of a request with the same names: a row may have what the API takes. */
export const takenAs = <Name extends string>(
  { shape }: { shape: Record<NoInfer<Name>, z.ZodType> },
  names: readonly Name[],
): Record<Name, Check> =>
  Object.fromEntries(names.map((name) => [name, takenBy(shape[name])])) as Record<Name, Check>
