import type { z } from '@hono/zod-openapi'
import { booleanField, nameInput } from '../../../../http/fields.ts'
import { must } from '../../../../http/issues.ts'

/** The name of something in the place of its id. */
export const nameOf = (idField: string, kind: 'account' | 'category' | 'payee', example: string) =>
  nameInput(
    100,
    `Name of the ${kind}, instead of \`${idField}\`. Upper and lower case, and full-width and half-width letters, are the same. If several have this name, the request is refused.`,
    example,
  ).optional()

export const createMissing = booleanField(
  'Whether to create categories and payees whose names do not exist yet. New categories are created at the top level. Only the owner of the account can do this. Accounts are never created.',
  true,
).default(false)

/** @param names the field of a name by that of the id which it stands for */
export const notBoth = <Schema extends z.ZodObject>(
  schema: Schema,
  names: Record<string, string>,
): Schema =>
  Object.entries(names).reduce(
    (checked, [id, name]) =>
      checked.refine((sent) => sent[id] === undefined || sent[name] === undefined, {
        ...must(`cannot be sent together with ${id}. Send only one of them`, 'combination'),
        path: [name],
      }),
    schema,
  )

/** Requires exactly one of the two fields. */
export const needingOne = <Schema extends z.ZodObject>(
  schema: Schema,
  names: Record<string, string>,
): Schema =>
  Object.entries(names).reduce(
    (checked, [id, name]) =>
      checked.refine((sent) => sent[id] !== undefined || sent[name] !== undefined, {
        ...must(`or ${name} is required`, 'required'),
        path: [id],
        // Reported together with what else is missing.
        when: ({ value }) => typeof value === 'object' && value !== null,
      }),
    notBoth(schema, names),
  )
