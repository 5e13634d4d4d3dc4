/** Adds up the reports of Vitest in a folder, and names what failed. A run that has written no report has passed nothing. */
const { readdirSync, readFileSync } = require('node:fs')

const [folder, status] = process.argv.slice(2)
const reports = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')))
for (const file of reports.flatMap((report) => report.testResults)) {
  if (file.status !== 'passed') {
    console.log(`Failed: ${file.name}: ${(file.message ?? '').slice(0, 1000)}`)
  }
}
const count = (figure) => reports.reduce((sum, report) => sum + report[figure], 0)
const failed = count('numFailedTests')
console.log(`${count('numPassedTests')} passed, ${failed || (status === '0' ? 0 : 1)} failed`)
