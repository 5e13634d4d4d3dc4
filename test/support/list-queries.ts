import { createApp } from '../../src/app.ts'
import { operationsOf } from '../../src/http/description/document.ts'
import { draft } from '../../src/http/openapi.ts'
import type { OperationEntry } from '../../src/http/registry.ts'
import type { Parameter } from './described.ts'
import type { Samples } from './samples.ts'

/** By operation; with the examples of filters, which are not told, as Swagger UI would fill in all of them. */
const parametersOf = new Map(
  operationsOf(draft(createApp(), '3.1.0')).map(({ operationId, parameters = [] }) => [
    operationId,
    parameters as Parameter[],
  ]),
)

/** The filters and orders that a list takes, each with values that it may have. */
function choicesOf({ operationId }: OperationEntry, samples: Samples): [string, string[]][] {
  return (parametersOf.get(operationId) ?? [])
    .filter(({ name, in: place }) => place === 'query' && !['limit', 'cursor'].includes(name))
    .map(({ name, schema, example = schema.example }) => {
      const values = schema.enum ?? (schema.type === 'boolean' ? [true, false] : [example])
      return [name, values.map((value) => ownOf(String(value), samples))]
    })
}

/** An id of the samples in the place of that of the description. */
const ownOf = (value: string, samples: Samples): string =>
  /^[a-z]{3,4}_[0-9a-z]{26}$/.test(value)
    ? (new RegExp(`\\b${value.split('_')[0]}_[0-9a-z]{26}`).exec(JSON.stringify(samples))?.[0] ??
      value)
    : value

/** The queries of a list: none, every choice alone, and each with the first of all the others. */
export function listQueriesOf(operation: OperationEntry, samples: Samples): string[] {
  const choices = choicesOf(operation, samples)
  const firsts = choices.map(([name, [first = '']]) => [name, first])
  const queries = choices.flatMap(([name, values]) =>
    values.flatMap((value) => [
      [[name, value]],
      [...firsts.filter(([other]) => other !== name), [name, value]],
    ]),
  )
  return choices.length === 0
    ? []
    : ['', ...queries.map((query) => `?${new URLSearchParams(query).toString()}`)]
}
