import { existsSync, readFileSync } from 'node:fs'
import { inProject } from '../../../scripts/lib/project.ts'

const FILES = inProject('../shared/data/imports')

/** Real files of banks are not part of the project: what they say is tested where they are at hand. */
export const hasRealFiles = existsSync(FILES)

export const realFile = (path: string): string => readFileSync(`${FILES}/${path}`, 'utf8')
