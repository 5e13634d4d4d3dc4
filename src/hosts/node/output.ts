import { AppError } from '../../domain/errors.ts'

/**
 * Prints lines on the standard output, those of one turn of the event loop at once: each write is waited for. What is
 * left when the process ends is printed then. What cannot be printed, as on a full disk, is lost: the service goes on.
 */
export function printerOf(output: NodeJS.WritableStream): (line: string) => void {
  let waiting: string[] = []
  const flush = () => {
    if (waiting.length > 0) {
      output.write(waiting.join(''))
      waiting = []
    }
  }
  process.once('exit', flush)
  output.on('error', ignore)
  return (line) => {
    if (waiting.push(`${line}\n`) === 1) {
      setImmediate(flush)
    }
  }
}

const ignore = () => undefined

/** Returns the reason of a failure, in a sentence for the operator. */
export function failureReason(error: unknown): string {
  const { cause, message } = error as Error
  // The fault of a variable is in the cause, which only the operator sees.
  return error instanceof AppError && cause instanceof Error ? `${cause.message}.` : message
}
