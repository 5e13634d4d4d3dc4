import { readdirSync, readFileSync } from 'node:fs'
import { inProject } from '../../scripts/lib/project.ts'
import type { Sources } from './scanner.ts'

const FOLDERS = ['bench', 'drizzle', 'scripts', 'src', 'test']

/** All of the project that is TypeScript. */
export function readSources(): Sources {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file}`,
    ),
  ).filter((file) => file.endsWith('.ts'))
  return Object.fromEntries(files.map((file) => [file, readFileSync(inProject(file), 'utf8')]))
}
