// zod less its fifty languages and JSON Schema. @hono/zod-openapi passes the namespace on as a value, so a
// bundler would keep all of it.
export * from '../../node_modules/zod/v4/classic/schemas.js'
export * from '../../node_modules/zod/v4/classic/errors.js'
export * from '../../node_modules/zod/v4/classic/parse.js'
export * as iso from '../../node_modules/zod/v4/classic/iso.js'
