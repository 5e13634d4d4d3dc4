import type { z } from '@hono/zod-openapi'
import { must } from './issues.ts'

// A field that got another name keeps its old one for one version, so that programs have time to change.

/** The field under its former name. @param now the name that takes its place */
export const formerly = <Field extends z.ZodType>(field: Field, now: string): Field => {
  const deprecated = {
    deprecated: true,
    description: `Deprecated: use \`${now}\`. The next version refuses this name.`,
  }
  return field.openapi({ ...deprecated, param: deprecated })
}

/**
 * Takes the value of a former name for that of the present one, and refuses a request that sends both. What comes out has
 * the present name alone, so a cursor is good whichever name was sent.
 * @param names the present names by the former ones
 */
export const withFormerNames = <Schema extends z.ZodObject>(
  schema: Schema,
  names: Record<string, string>,
): Schema =>
  Object.entries(names)
    .reduce(
      (checked, [former, now]) =>
        checked.refine((sent) => !(former in sent && now in sent), {
          ...must(
            `is the former name of ${now}, so they cannot be sent together. Send only ${now}`,
            'combination',
          ),
          path: [former],
        }),
      schema,
    )
    .overwrite((sent) => {
      for (const [former, now] of Object.entries(names)) {
        const value: unknown = Reflect.get(sent, now) ?? Reflect.get(sent, former)
        Reflect.deleteProperty(sent, former)
        // Last, so that both names give the same order.
        Reflect.deleteProperty(sent, now)
        if (value !== undefined) {
          Reflect.set(sent, now, value)
        }
      }
      return sent
    })
