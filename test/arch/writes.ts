import type { Sources } from './scanner.ts'

/** From the name of a table to its area, unless that is the platform, and to the name that files import it by. */
export type Claims = Map<string, { area: string | undefined; name: string }>

/** A statement that writes, in SQL: the table, or what is put in its place. */
const IN_SQL =
  /\b(?:INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM|DELETE(?=\s+\$))\s+(?!OR\b|SET\b)(?:"?(\w+)"?|\$\{([^}]*)\})/g

/** The same by the query builder. */
const BY_BUILDER =
  /(?:\bdb\s*\.(?:insert|update|delete)|\binsertInto|\binserterInto(?:<[^(]*>)?|\bownedTable|\bwritesOf)\(\s*(\w+)/g

const ALIAS = /\b(\w+) as (\w+)\b/g

/** `file writes table` for each table of the schema that a file of another area writes; `any table` for what nobody knows. */
export function foreignWrites(sources: Sources, claims: Claims): string[] {
  const byImport = new Map([...claims].map(([table, { name }]) => [name, table]))
  const found = Object.entries(sources)
    .filter(([file]) => file.startsWith('src/'))
    .flatMap(([file, text]) => {
      const aliases = new Map([...text.matchAll(ALIAS)].map(([, name, alias]) => [alias, name]))
      const tableOf = (name: string) => byImport.get(aliases.get(name) ?? name)
      return [
        ...[...text.matchAll(IN_SQL)].map(([, table, place]) =>
          place === undefined ? table : (tableOf(place) ?? 'any table'),
        ),
        ...[...text.matchAll(BY_BUILDER)].map(([, name = '']) => tableOf(name) ?? 'any table'),
      ].flatMap((table = '') => {
        const area = claims.get(table)?.area
        const isOwn = area !== undefined && new RegExp(`^src/(areas/[\\w-]+/)?${area}/`).test(file)
        return (area === undefined && table !== 'any table') || isOwn
          ? []
          : [`${file} writes ${table}`]
      })
    })
  return [...new Set(found)]
}
