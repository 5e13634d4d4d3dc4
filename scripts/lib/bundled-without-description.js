// What a release is bundled with under the name `@asteasolutions/zod-to-openapi`: it carries no description of the
// interface, so schemas need not remember what is said of them. See ADR 0024.
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
