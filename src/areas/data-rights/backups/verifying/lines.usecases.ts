import { isComplexJson } from '../../../../domain/json-values.ts'
import type { Steps } from '../../../../domain/steps.ts'
import { backupErrors } from '../backups.errors.ts'
import {
  type Fault,
  LINE_BOUNDS,
  MOST_FAULTS,
  MOST_LINES,
  MOST_OF_LINE,
} from './verifying.rules.ts'

export type Take = (row: unknown, line: number) => void

/** Collects the faults of an archive. */
export class Findings {
  count = 0
  lines = 0
  readonly first: Fault[] = []

  add({ line, code, member, message }: Omit<Fault, 'line'> & { line?: number }): void {
    this.count += 1
    if (this.first.length < MOST_FAULTS) {
      this.first.push({ line: line ?? null, code, member: cut(member), message: cut(message) })
    }
  }
}

/** Texts of archives stand in them, which may be long. */
const cut = (text: string): string => text.slice(0, 500)

/** Cuts bytes into lines, each of which is a step. */
export class Lines {
  count = 0
  /** The pieces of a line that has not ended. */
  private waiting: string[] = []
  private waitingLength = 0
  private isStopped = false
  private readonly decoder = new TextDecoder()

  private readonly member: string
  private readonly found: Findings
  private readonly take: Take | undefined

  constructor(member: string, found: Findings, take: Take | undefined) {
    this.member = member
    this.found = found
    this.take = take
  }

  *add(chunk: Uint8Array): Steps<void> {
    if (this.isStopped) {
      return
    }
    const pieces = this.decoder.decode(chunk, { stream: true }).split('\n')
    for (const [at, piece] of pieces.entries()) {
      if (at > 0) {
        this.one(this.waiting.join(''))
        yield
        this.waiting = []
        this.waitingLength = 0
      }
      this.waiting.push(piece)
      this.waitingLength += piece.length
      if (this.waitingLength > MOST_OF_LINE) {
        this.isStopped = true
        this.found.add({
          ...{ code: 'malformedLine', member: this.member, line: this.count + 1 },
          message: 'The line is too long. What follows it is not read.',
        })
        return
      }
    }
  }

  end(): void {
    if (this.waitingLength > 0 && !this.isStopped) {
      this.one(this.waiting.join(''))
    }
  }

  private one(text: string): void {
    this.count += 1
    this.found.lines += 1
    if (this.found.lines > MOST_LINES) {
      throw backupErrors.brokenArchive({ reason: 'It has too many lines.' })
    }
    const row = isComplexJson(text, LINE_BOUNDS) ? undefined : parsed(text)
    if (typeof row !== 'object' || row === null || Array.isArray(row)) {
      this.found.add({
        ...{ code: 'malformedLine', member: this.member, line: this.count },
        message: 'It is no JSON object, or one of too many parts.',
      })
      return
    }
    this.take?.(row, this.count)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
