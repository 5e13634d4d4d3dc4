/** The rows of the tables below a heading of a document, without their heads. */
export const tablesBelow = (document: string, heading: string): string[][][] =>
  (document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split(/\n\n+/)
    .map((block) => block.trim())
    .filter((block) => block.startsWith('|'))
    .map((block) =>
      block
        .split('\n')
        .slice(2)
        .map((line) =>
          line
            .slice(1, -1)
            .split('|')
            .map((cell) => cell.trim()),
        ),
    )
