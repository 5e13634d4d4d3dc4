// The module that a release gets under the name `@asteasolutions/zod-to-openapi`. A release has no description of the
// interface, so schemas need not remember theirs. See ADR 0024.
export class OpenAPIRegistry {
  definitions = []
  registerPath() {}
  registerComponent() {}
}

const notHere = () => {
  throw new Error('a release build has no description')
}

export {
  notHere as getOpenApiMetadata,
  notHere as OpenApiGeneratorV3,
  notHere as OpenApiGeneratorV31,
}

export function extendZodWithOpenApi({ ZodType }) {
  ZodType.prototype.openapi = function () {
    return this
  }
}
