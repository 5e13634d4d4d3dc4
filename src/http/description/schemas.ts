import { type Document, type JsonSchema, operationsOf } from './document.ts'

/** Makes schemas say what generators of clients understand. */
export function refineSchemas(document: Document): void {
  const { schemas } = document.components
  const is31 = document.openapi.startsWith('3.1')
  const nullable = is31 ? takeNullability(schemas) : {}
  for (const schema of schemasOf(document)) {
    tellDefault(schema)
    tellNullable(schema, nullable)
    if (is31 && schema.format === 'binary') {
      // OpenAPI 3.1 describes bytes this way. Generators would not accept a Blob for a string.
      delete schema.type
      delete schema.format
      schema.contentMediaType = 'application/octet-stream'
    }
  }
}

/** Every schema of components, bodies and answers, with what it consists of. Parameters keep theirs as they are. */
function schemasOf(document: Document): JsonSchema[] {
  const bodies = operationsOf(document).flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      part && 'content' in part
        ? Object.values(part.content ?? {}).flatMap(({ schema }) => schema ?? [])
        : [],
    ),
  )
  return [...Object.values(document.components.schemas), ...bodies].flatMap(withParts)
}

function withParts(schema: JsonSchema): JsonSchema[] {
  const { properties = {}, items, additionalProperties: others } = schema
  const parts = [
    ...Object.values(properties),
    ...(items ? [items] : []),
    ...(typeof others === 'object' ? [others] : []),
    ...[schema.allOf, schema.anyOf, schema.oneOf].flatMap((some) => some ?? []),
  ]
  return [schema, ...parts.flatMap(withParts)]
}

/** Generators take a field with a `default` for one that is always there, and demand it in requests. */
function tellDefault(schema: JsonSchema): void {
  if ('default' in schema) {
    const { default: value, description = '' } = schema
    delete schema.default
    schema.description = `${description} Default: \`${JSON.stringify(value)}\`.`.trim()
  }
}

/**
 * Takes null out of the named schemas that have it, and gives these by their references. The library gives a name to the
 * nullable form of a schema when that is the first that it meets; then all that refer to it mean the nullable form.
 */
function takeNullability(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const taken = Object.entries(schemas).filter(([, { type }]) => [type].flat().includes('null'))
  for (const [, schema] of taken) {
    schema.type = [schema.type].flat().find((type) => type !== 'null') ?? 'null'
    if (schema.example === null) {
      delete schema.example
    }
  }
  return Object.fromEntries(taken.map(([name, schema]) => [`#/components/schemas/${name}`, schema]))
}

/** A reference that may be null is an `anyOf`, with a description beside it. */
function tellNullable(schema: JsonSchema, nullable: Record<string, JsonSchema>): void {
  const [referring = schema, words] = schema.allOf ?? []
  const { $ref } = referring
  const named = $ref === undefined ? undefined : nullable[$ref]
  if ($ref !== undefined && named) {
    delete schema.$ref
    delete schema.allOf
    const { description } = named
    Object.assign(schema, description === undefined ? {} : { description }, words, {
      anyOf: [{ $ref }, { type: 'null' }],
    })
  }
}
