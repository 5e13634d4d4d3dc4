const LINES = 400

/** The first line of a transaction: its date, then what it is. */
const HEAD = /^\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:=\S+)? +[^\s,;|]/
/** A posting: an account of several levels, indented. */
const POSTING = /^(?: {2,}| ?\t\s*)(?:[*!] +)?[\p{L}\d][^,;|"]*:[\p{L}\d]/u
const MOST_LENGTH = 300

/** Tells whether a text is a journal of hledger, ledger or beancount: transactions with indented postings. */
export function isJournal(head: string): boolean {
  const lines = head.split(/\r\n?|\n/, LINES).map((line) => line.slice(0, MOST_LENGTH))
  return lines.some((line, at) => HEAD.test(line) && postingBelow(lines, at))
}

/** Notes and particulars may stand between. */
function postingBelow(lines: string[], at: number): boolean {
  for (const line of lines.slice(at + 1)) {
    if (POSTING.test(line)) {
      return true
    }
    if (!/^[ \t]+\S/.test(line)) {
      return false
    }
  }
  return false
}
