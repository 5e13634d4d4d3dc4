/** Characters of a line that are kept. */
const MAX_LINE = 65_536

export interface Line {
  /** From 1. */
  number: number
  text: string
}

/** Cuts text into lines that end with LF, CRLF or CR, wherever its pieces end. What is beyond 65,536 characters of a line is dropped. */
export class LineCutter {
  #number = 0
  #rest = ''
  #endsWithCr = false

  push(text: string): Line[] {
    // The LF of a CRLF that two pieces share ends no second line.
    const piece = this.#endsWithCr && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') {
      this.#endsWithCr = text.endsWith('\r')
    }
    const lines = piece.split(/\r\n|[\r\n]/)
    const last = lines.pop() as string
    const complete = lines.map((line, at) => this.#next(at === 0 ? this.#rest + line : line))
    this.#rest = (lines.length > 0 ? last : this.#rest + last).slice(0, MAX_LINE)
    return complete
  }

  /** Returns the text behind the last line end as a line, if there is any. */
  end(): Line[] {
    return this.#rest === '' ? [] : [this.#next(this.#rest)]
  }

  #next(text: string): Line {
    this.#number += 1
    return { number: this.#number, text: text.slice(0, MAX_LINE) }
  }
}
