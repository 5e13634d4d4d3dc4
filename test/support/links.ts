import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { inProject } from '../../scripts/lib/project.ts'

/** A heading as the address of its section. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d _-]/gu, '')
    .replaceAll(' ', '-')

/** The links of a document to files and sections that do not exist. */
export function brokenLinks(document: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(
    ([, path = '', anchor]) => {
      const file = path === '' ? document : normalize(join(dirname(document), path))
      if (!existsSync(inProject(file))) {
        return [`there is no ${file}`]
      }
      if (anchor === undefined) {
        return []
      }
      const target = path === '' ? text : readFileSync(inProject(file), 'utf8')
      const headings = [...target.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
      return headings.map(anchorOf).includes(anchor) ? [] : [`${file} has no section #${anchor}`]
    },
  )
}
