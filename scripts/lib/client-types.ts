import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { inProject } from './project.ts'

/** The types for clients of the interface; made anew by `npm run types`. */
export const CLIENT_TYPES = inProject('.coffer/cache/openapi.d.ts')

/** Writes the types that openapi-typescript makes of openapi.json. */
export async function writeClientTypes(): Promise<void> {
  // It makes its text with the compiler's library, which TypeScript has no more since version 7.
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
  })
  const { default: typesOf, astToString } = await import('openapi-typescript')
  const text = astToString(await typesOf(readFileSync(inProject('openapi.json'), 'utf8')))
  mkdirSync(inProject('.coffer/cache'), { recursive: true })
  writeFileSync(CLIENT_TYPES, text)
}
