import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import pkg from '../../../package.json' with { type: 'json' }
import { toInstant } from '../../domain/calendar.ts'
import { databaseFile, filesFolder, mustHaveDatabase } from './data-folder.ts'
import {
  copyFile,
  type DataManifest,
  factsOf,
  type BackupFileFacts,
  writeManifest,
} from './data-manifest.ts'
import { pathOfObject } from './files.ts'
import { secretsFile } from './secrets.ts'
import { contentsOf, type NamedObject, takeSnapshot } from './snapshot.ts'

/** The most copies of the database that are tried until no file was deleted during the copy of the files. */
const MOST_SNAPSHOTS = 5

/**
 * Copies a data folder, which may be in use, into a new or empty folder.
 * @param now milliseconds since 1970 UTC
 * @throws Error with a sentence for the operator; nothing of the backup is left then
 */
export async function backUpData(
  data: string,
  target: string,
  now: () => number,
): Promise<DataManifest> {
  mustHaveDatabase(data)
  if (`${resolve(target)}/`.startsWith(`${resolve(data)}/`)) {
    throw new Error(`${target} is in the data folder. Choose a folder elsewhere.`)
  }
  const made = await mkdir(target, { recursive: true, mode: 0o700 })
  // If two backups run into the same folder, one stops here.
  const isOurs = (await readdir(target)).length === 0 && (await claim(filesFolder(target)))
  if (!isOurs) {
    throw new Error(`${target} is not empty. Choose a new folder for the backup.`)
  }
  try {
    return await fill(data, target, now)
  } catch (error) {
    for (const name of await readdir(target)) {
      await rm(join(target, name), { recursive: true })
    }
    await (made ? rm(made, { recursive: true }) : undefined)
    throw error
  }
}

const claim = (folder: string) =>
  mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') {
        return false
      }
      throw error
    },
  )

async function fill(data: string, target: string, now: () => number): Promise<DataManifest> {
  const copied = new Map<string, BackupFileFacts>()
  let absentBefore = new Set<string>()
  for (let snapshots = 1; ; snapshots++) {
    const createdAt = toInstant(now())
    await takeSnapshot(databaseFile(data), databaseFile(target))
    const { migration, objects } = contentsOf(databaseFile(target))
    const absent = await copyObjects(data, target, objects, copied)
    // A row is deleted before its file. So a file that was absent before this snapshot, whose row is in it, was lost;
    // one that is absent only now may have been deleted with its row after the snapshot.
    const isExplained = absent.difference(absentBefore).size === 0
    if (!isExplained && snapshots < MOST_SNAPSHOTS) {
      absentBefore = absent
      continue
    }
    await removeUnnamed(target, objects, copied)
    await copyFile(secretsFile(data), secretsFile(target))
    const shaOf = new Map(objects.map(({ key, sha256 }) => [key, sha256]))
    const damaged = [...copied].filter(([key, { sha256 }]) => (shaOf.get(key) ?? sha256) !== sha256)
    return writeManifest(target, {
      createdAt,
      version: pkg.version,
      migration,
      files: await allFacts(target, copied),
      missing: [...absent],
      damaged: damaged.map(([key]) => key),
    })
  }
}

/** Copies the files that are not copied yet; gives the keys of those that were not there. */
async function copyObjects(
  data: string,
  target: string,
  objects: NamedObject[],
  copied: Map<string, BackupFileFacts>,
): Promise<Set<string>> {
  const absent = new Set<string>()
  for (const { key } of objects.filter((object) => !copied.has(object.key))) {
    const copy = pathOfObject(filesFolder(target), key)
    if (await copyFile(pathOfObject(filesFolder(data), key), copy)) {
      copied.set(key, await factsOf(copy))
    } else {
      absent.add(key)
    }
  }
  return absent
}

/** Removes the copies of files whose rows were deleted between two snapshots. */
async function removeUnnamed(
  target: string,
  objects: NamedObject[],
  copied: Map<string, BackupFileFacts>,
): Promise<void> {
  const named = new Set(objects.map(({ key }) => key))
  for (const key of [...copied.keys()].filter((one) => !named.has(one))) {
    await rm(pathOfObject(filesFolder(target), key))
    copied.delete(key)
  }
}

async function allFacts(
  target: string,
  copied: Map<string, BackupFileFacts>,
): Promise<Record<string, BackupFileFacts>> {
  const others = [databaseFile(target), secretsFile(target)].filter((file) => existsSync(file))
  const entries: [string, BackupFileFacts][] = []
  for (const file of others) {
    entries.push([relative(target, file), await factsOf(file)])
  }
  for (const [key, facts] of copied) {
    entries.push([relative(target, pathOfObject(filesFolder(target), key)), facts])
  }
  return Object.fromEntries(entries)
}
