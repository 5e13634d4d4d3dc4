import { posix } from 'node:path'
import type { Sources } from './scanner.ts'

/** An UPDATE or DELETE, with what says which rows it finds. */
interface Found {
  table: string
  where: string
}

/** How SQL and the query builder compare whom a row belongs to. */
const OWNER = [
  /\b(?:owner_id|user_id|issued_by|invited_by|accepted_by)\b["}]?\)?\s*(?:=|IN\b|IS\b)/,
  /\$\{[\w.]*\b(?:ownerId|userId|createdBy|ownerColumn)\b[^}]*\}\s*(?:=|IN\b|IS\b)/,
  /\beq\(\s*[\w.]+\.(?:ownerId|userId|createdBy),/,
  /\bownedBy\(/,
  /\s(?:=|IS)\s*\$\{(?:\w+\.)?ownerId\}/,
  /\$\{(?:userId|ownerId)\} (?:IN \(|= ifnull\()[^)]*\bowner_id\b/,
]

/** Tables whose rows belong to something that the statement found with its own access check, by the column that names it. */
const BELONGS: [table: RegExp, column: RegExp][] = [
  [/^budget_?\w/i, /\bbudget_?[iI]d\b["}]?\s*(?:=|IN\b)|\.budgetId,/],
  [/^group_?\w/i, /\bgroup_?[iI]d\b["}]?\s*(?:=|IN\b)|\.groupId,/],
]

/** Where what is quoted, or stands in brackets, ends. */
function endOf(text: string, start: number, isEnd: (at: number) => boolean): number {
  const open: string[] = []
  for (let at = start; at < text.length; at++) {
    if (open.length === 0 && at > start && isEnd(at)) {
      return at
    }
    const letter = text[at] ?? ''
    const inside = open.at(-1)
    if (inside === '`' || inside === "'" || inside === '"') {
      if (letter === '\\') {
        at++
      } else if (letter === inside) {
        open.pop()
      } else if (inside === '`' && letter === '$' && text[at + 1] === '{') {
        open.push('{')
        at++
      }
    } else if ('`\'"([{'.includes(letter)) {
      open.push(letter)
    } else if (')]}'.includes(letter)) {
      if (open.length === 0) {
        return at
      }
      open.pop()
    }
  }
  return text.length
}

/** The text between a bracket or quote and the one that closes it. */
const within = (text: string, start: number): string =>
  text.slice(start + 1, endOf(text, start, () => true) - 1)

/** What stands behind the WHERE of a statement itself, not of a subquery. */
function whereOf(statement: string): string {
  let depth = 0
  for (const { 0: token, index } of statement.matchAll(/\$\{|[(){}]|\bWHERE\b/g)) {
    if (token === 'WHERE' && depth === 0) {
      return statement.slice(index)
    }
    depth += token === '${' || '({'.includes(token) ? 1 : ')}'.includes(token) ? -1 : 0
  }
  // Where the rest of the statement is put in by a name.
  return /^\s*DELETE\s+\$\{/.test(statement) ? statement : ''
}

/** Each UPDATE and DELETE of a source. */
export function changesIn(text: string): Found[] {
  const inSql = [
    ...text.matchAll(/\bsql(?:<[^`]*>)?`\s*(?:UPDATE(?:\s+OR\s+\w+)?|DELETE(?:\s+FROM)?)\s+/g),
  ].map(({ 0: start, index }) => {
    const statement = within(text, index + start.indexOf('`'))
    const [, table = ''] =
      /^\s*(?:UPDATE(?:\s+OR\s+\w+)?|DELETE(?:\s+FROM)?)\s+(\$\{[^}]*\}|[\w"]+)/.exec(statement) ??
      []
    return { table, where: whereOf(statement) }
  })
  const built = [...text.matchAll(/\bdb\s*\.(?:update|delete)\(\s*([\w.]+)/g)].map(
    ({ 1: table = '', index }) => {
      let end = index + 2
      // Call after call, as long as there is one.
      for (
        let next = /^\s*\.\w+\(/.exec(text.slice(end));
        next;
        next = /^\s*\.\w+\(/.exec(text.slice(end))
      ) {
        end = endOf(text, end + next[0].length - 1, () => true)
      }
      const chain = text.slice(index, end)
      const at = chain.search(/\.where\(/)
      return { table, where: at < 0 ? '' : within(chain, at + '.where'.length) }
    },
  )
  return [...inSql, ...built]
}

/** What a name is declared as in a source. */
function declarationOf(name: string, text: string): string | undefined {
  const found = new RegExp(String.raw`\b(?:const|function)\s+${name}\b`).exec(text)
  if (!found) {
    return undefined
  }
  const isEnd = (at: number) =>
    text[at] === '\n' &&
    !/^\n\s*(?:[.?:&|]|\/\/)/.test(text.slice(at, at + 80)) &&
    !/(?:=|=>|[(,?:&|])\s*$/.test(text.slice(Math.max(0, at - 40), at))
  return text.slice(found.index, endOf(text, found.index, isEnd))
}

/** The text of what a name stands for, in the file or where that imports it from. */
function meaningOf(
  name: string,
  file: string,
  sources: Sources,
  hops = 4,
): [string, string] | undefined {
  const text = sources[file] ?? ''
  const own = declarationOf(name, text)
  if (own !== undefined || hops === 0) {
    return own === undefined ? undefined : [own, file]
  }
  for (const [, names = '', path = ''] of text.matchAll(
    /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm,
  )) {
    // A table of the schema says nothing of the rows that a statement finds in it.
    const target = posix.join(posix.dirname(file), path)
    if (target.startsWith('src/') && new RegExp(String.raw`\b${name}\b`).test(names)) {
      return meaningOf(name, target, sources, hops - 1)
    }
  }
  return undefined
}

/** Whether a condition compares the owner, by itself or by what it names. */
function says(
  wanted: RegExp[],
  where: string,
  file: string,
  sources: Sources,
  seen = new Set<string>(),
): boolean {
  if (wanted.some((one) => one.test(where))) {
    return true
  }
  return [...where.matchAll(/(?<![.\w'"])([a-zA-Z_]\w*)\b/g)].some(([, name = '']) => {
    const key = `${file} ${name}`
    if (seen.has(key) || seen.size > 200) {
      return false
    }
    seen.add(key)
    const meaning = meaningOf(name, file, sources)
    return meaning !== undefined && says(wanted, ...meaning, sources, seen)
  })
}

const saysWhose = ({ table, where }: Found, file: string, sources: Sources): boolean => {
  const parents = BELONGS.flatMap(([of, column]) => (of.test(table) ? [column] : []))
  return says([...OWNER, ...parents], where, file, sources)
}

/** The name of a table in SQL, by the name that files import it by. */
const inSchema = (table: string): string =>
  /^[a-z]+[A-Z]/.test(table) && !table.includes('.')
    ? table.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : table

/** `file table` for each statement that changes or deletes rows without saying whose they are; several may be alike. */
export const ownerless = (sources: Sources): string[] =>
  Object.entries(sources)
    .filter(([file]) => file.startsWith('src/'))
    .flatMap(([file, text]) =>
      changesIn(text)
        .filter((found) => !saysWhose(found, file, sources))
        .map(({ table }) => `${file} ${inSchema(table)}`),
    )
