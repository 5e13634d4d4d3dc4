// The parts of an OpenAPI document that are read or changed before it is published.

export interface Document {
  openapi: string
  info: { description: string }
  tags?: object[]
  webhooks?: object
  paths: Record<string, Record<string, DescribedOperation>>
  components: {
    schemas: Record<string, JsonSchema>
    parameters?: Record<string, Parameter>
    responses?: Record<string, DescribedResponse>
    securitySchemes?: Record<string, object>
  }
}

export interface Reference {
  $ref: string
}

export interface DescribedOperation {
  operationId: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: (Parameter | Reference)[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, DescribedResponse | Reference>
  'x-access'?: string
  'x-error-codes'?: string[]
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  schema?: JsonSchema
  example?: unknown
}

export interface DescribedHeader {
  description: string
  schema: JsonSchema
}

export interface DescribedResponse {
  description?: string
  headers?: Record<string, DescribedHeader>
  content?: Record<string, MediaType>
}

interface MediaType {
  schema?: JsonSchema
  example?: unknown
}

export interface JsonSchema {
  $ref?: string
  type?: string | string[]
  format?: string
  contentMediaType?: string
  description?: string
  default?: unknown
  example?: unknown
  pattern?: string
  enum?: unknown[]
  required?: string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  additionalProperties?: boolean | JsonSchema
  allOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

export const operationsOf = ({ paths }: Document): DescribedOperation[] =>
  Object.values(paths).flatMap((item) => Object.values(item))
