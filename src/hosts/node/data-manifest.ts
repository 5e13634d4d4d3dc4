import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { nullIfMissing, syncPath } from './files.ts'

// A backup is a folder like a data folder, with a manifest of everything in it. The manifest is written last, so a
// folder without one is the rest of a backup that was interrupted.

const FORMAT = 'coffer data backup'
const FORMAT_VERSION = 1

/** The size and hash of a file in a backup. */
export interface BackupFileFacts {
  size: number
  /** Hexadecimal. */
  sha256: string
}

export interface DataManifest {
  format: typeof FORMAT
  formatVersion: number
  /** RFC 3339, in UTC. All that was acknowledged before is in the backup. */
  createdAt: string
  /** The version of the service. */
  version: string
  /** The newest one that the database has. */
  migration: string
  /** By their paths in the backup. */
  files: Record<string, BackupFileFacts>
  /** Keys of files that the database names and that were not in the data folder. */
  missing: string[]
  /** Keys of files whose bytes are not those that the database says. */
  damaged: string[]
}

const manifestFile = (backup: string) => join(backup, 'manifest.json')

/** Brings the manifest to the disk under its name once everything else is there. */
export async function writeManifest(
  backup: string,
  facts: Omit<DataManifest, 'format' | 'formatVersion'>,
): Promise<DataManifest> {
  const manifest = { format: FORMAT, formatVersion: FORMAT_VERSION, ...facts } as const
  const draft = `${manifestFile(backup)}.unfinished`
  await syncTree(backup)
  await writeFile(draft, `${JSON.stringify(manifest, null, 2)}\n`, { flag: 'wx', flush: true })
  await rename(draft, manifestFile(backup))
  await syncPath(backup)
  return manifest
}

/** @throws Error when there is none, or another program's */
export async function readManifest(backup: string): Promise<DataManifest> {
  const text = await readFile(manifestFile(backup), 'utf8').catch(nullIfMissing)
  if (text === null) {
    throw new Error(
      `${backup} is not a complete backup: its manifest.json, which is written last, is missing. Use another backup.`,
    )
  }
  const manifest = parsed(text)
  if (manifest?.format !== FORMAT || typeof manifest.files !== 'object') {
    throw new Error(
      `${manifestFile(backup)} is damaged, or not the manifest of a backup. Use another backup.`,
    )
  }
  if (manifest.formatVersion !== FORMAT_VERSION) {
    throw new Error(
      `${backup} was made by version ${manifest.version} of the service in a format that this version does not know. Restore it with that version.`,
    )
  }
  return manifest
}

function parsed(text: string): DataManifest | undefined {
  try {
    return JSON.parse(text) as DataManifest
  } catch {
    return undefined
  }
}

/** The most findings that one message names. */
const MOST_NAMED = 5

/**
 * Compares a folder with a manifest, byte by byte.
 * @throws Error that names files which are missing, too many, or other than the manifest says
 */
export async function requireAsInManifest(folder: string, manifest: DataManifest): Promise<void> {
  const expected = new Set(Object.keys(manifest.files))
  const found = new Set(await pathsIn(folder))
  found.delete(relative(folder, manifestFile(folder)))
  const findings = [
    ...[...expected.difference(found)].map((path) => `${path} is missing`),
    ...[...found.difference(expected)].map((path) => `${path} is not part of it`),
  ]
  for (const [path, { size, sha256 }] of Object.entries(manifest.files)) {
    const facts = found.has(path) ? await factsOf(join(folder, path)) : undefined
    if (facts && (facts.size !== size || facts.sha256 !== sha256)) {
      findings.push(`${path} was changed`)
    }
  }
  if (findings.length > 0) {
    throw new Error(
      `${folder} was changed after the backup was made: ${some(findings)}. Use another backup.`,
    )
  }
}

/** The first of some findings, and how many more there are. */
export function some(findings: string[]): string {
  const more = findings.length - MOST_NAMED
  const named = findings.slice(0, MOST_NAMED).join('; ')
  return more > 0 ? `${named}; and ${more} more` : named
}

/** Copies a file, which `syncTree` brings to the disk; false when there is none. */
export async function copyFile(from: string, to: string): Promise<boolean> {
  const source = await open(from).catch(nullIfMissing)
  if (!source) {
    return false
  }
  await mkdir(dirname(to), { recursive: true })
  await pipeline(source.createReadStream(), createWriteStream(to, { flags: 'wx' }))
  return true
}

export async function factsOf(file: string): Promise<BackupFileFacts> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of createReadStream(file) as AsyncIterable<Buffer>) {
    size += piece.byteLength
    hash.update(piece)
  }
  return { size, sha256: hash.digest('hex') }
}

/** The paths of everything in a folder but the folders. */
async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
}

/** Brings everything in a folder to the disk: at the end, as that takes much less than one by one. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const { parentPath, name } of entries) {
    await syncPath(join(parentPath, name))
  }
  await syncPath(folder)
}
