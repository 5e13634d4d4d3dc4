/** What to know of each operation of imports beyond its summary. */
export const IMPORTS: Record<string, string> = {
  listImportFormats:
    'Lists the formats with the fields of a mapping that matter for each, and the built-in profiles for CSV files of banks and programs.',
  detectImportFile:
    'Tells what a file is from all of it, or from its beginning, at most 1 MiB. Nothing is stored.',
  listImports: 'Lists the newest import first.',
  createImport:
    'Stores a file of at most 25 MiB, which is the body, or the attachment that `attachmentId` names, with an empty body. A ZIP archive may hold one file, several CAMT messages, or a budget of YNAB 4: at most 100 files and 100 MiB unpacked. A file of up to 1 MiB and 2,000 rows is read within the request, so the answer has the state `previewed`, or `questions`. A larger one is read by a job. Nothing is booked before `POST /import/{id}/commit`. Ten imports can be open at a time. A file that is open already answers 409 and names the import in `Location`.',
  getImport:
    'Shows how far the import is. `counts` has each row of the file once. A file and its rows are erased 30 days after the last step; what was booked stays known.',
  deleteImport: 'Deletes the file and its rows. Transactions that were booked stay.',
  replaceImportFile: 'Takes other bytes for the same import, and keeps what was chosen for it.',
  downloadImportFile: 'Returns the file as it was uploaded. Each download is logged.',
  setImportMapping:
    'Answers questions and chooses how the file is read, and which accounts and categories the commit makes (`create`). Fields that are left out keep their values. The file is read anew, and decisions about its rows are lost: the warning `decisionsDropped` tells of how many rows.',
  previewImport:
    'Shows what a commit would do to each account. Categories of the file that are not known are listed; their rows are booked without one.',
  cancelImport:
    'A commit stops after the piece that it is booking. What is booked by then stays, and can be reverted.',
  commitImport:
    'A job books the rows in pieces. New rows become transactions; matched rows get what they lack. A row that an account knows is never booked twice, whatever files it comes in. Rows on locked days are left out; with `force` those under soft locks are booked, too. With `transfers: match` likely transfers are joined at the end. With `assertBalances: true` closing balances of statements become balance assertions; with `reconcile: true` a reconciliation of the newest statement of each account is opened, unless one is open. Once more, it answers the same job.',
  getImportReport:
    'Tells what was booked and matched on each account, what was left out and why, and whether the statements add up. It stays when the file and its rows are erased. With `Accept: text/csv` it is a table with a line for each account, reason and statement.',
  revertImport:
    'Erases what the import booked and nobody changed since, and takes off what it added to other transactions. What is on locked days stays unless `force` is sent. Afterwards the same file can be imported again. With `force` it also parts transfers. Accounts and categories that the import made go to the trash if nothing is left on them. With `dryRun` it shows what that would be.',
  listImportRows:
    'Lists the rows in the order of the file, with what each comes to and why. A page ends with a piece of the file, so it may have fewer rows than `limit`, or none; follow `nextCursor`.',
  updateImportRow:
    'Decides what is done with a row, and says something else than the file. Fields that are left out keep their values.',
  updateImportRows:
    'Decides on up to 500 rows by their ids, or on all rows that a filter fits, at most 20,000.',
  listImportProfiles: 'Lists profiles in order of creation.',
  createImportProfile:
    'Keeps how the file of an import was read, or what is sent. A file of the same shape is then read without questions.',
  updateImportProfile: 'Fields that are left out keep their values.',
}
