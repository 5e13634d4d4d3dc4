// The module that the Worker gets under the name `zod`: see wrangler.toml and ADR 0024.
export * as z from './bundled-zod-namespace.js'
export * from './bundled-zod-namespace.js'
