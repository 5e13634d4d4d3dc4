/** Descriptions of the operations of imports, by `operationId`. */
export const IMPORTS: Record<string, string> = {
  listImportFormats:
    'Lists the formats, the fields of a mapping that each format uses, and the built-in profiles for CSV files of banks and programs.',
  detectImportFile:
    'Detects the format of a file. Send the whole file or its beginning, at most 1 MiB. Nothing is stored.',
  listImports: 'Lists the newest import first.',
  createImport:
    'Send a file of at most 25 MiB as the body, or leave the body empty and name an attachment as `attachmentId`. A ZIP archive may contain one file, several CAMT messages, or a budget of YNAB 4 or Actual: at most 100 files and 100 MiB unpacked. A file of up to 1 MiB and 2,000 rows is read within the request, so the answer has the state `previewed` or `questions`. A larger one is read by a job. Nothing is booked before `POST /import/{id}/commit`. Ten imports can be open at a time. If the same file is open already, the answer is 409 and names its import in `Location`.',
  getImport:
    'Shows the state of the import. `counts` counts each row of the file once. The file and its rows are erased 30 days after the last step; rows that were booked are still recognised in later files.',
  deleteImport: 'Deletes the file and its rows. Transactions that were booked stay.',
  replaceImportFile:
    'Send the bytes of another file as the body. The answers and choices of the import are kept.',
  downloadImportFile: 'Returns the file as it was uploaded. Each download is logged.',
  setImportMapping:
    'Answers questions, and sets how the file is read and which accounts and categories the commit creates (`create`). Fields that are left out keep their values. The file is read again, and decisions on its rows are lost: the warning `decisionsDropped` has their number.',
  previewImport:
    'Shows what a commit would do to each account. `unmapped` lists categories of the file that you do not have; their rows are booked without a category.',
  cancelImport:
    'A running commit stops after the piece that it is booking. Rows that are booked by then stay, and can be reverted.',
  commitImport:
    'A job books the rows in pieces. New rows become transactions; matched transactions get missing details from their rows. A row is never booked twice on an account, whatever files it comes in. Rows on locked days are left out; with `force`, rows under soft locks are booked. With `transfers: match`, likely transfers are joined at the end. With `assertBalances: true`, closing balances of statements become balance assertions. With `reconcile: true`, a reconciliation of the newest statement of each account is opened, unless one is open. If the commit is already running or done, the answer is its job.',
  getImportReport:
    'Shows what was booked and matched on each account, which rows were left out and why, and whether the statements add up. The report stays when the file and its rows are erased.',
  revertImport:
    'Erases transactions that the import booked and nobody changed since, and removes what it added to other transactions. Transactions on locked days stay unless `force` is sent. With `force` it also separates transfers. Accounts and categories that the import created go to the trash if nothing is left on them. Afterwards the same file can be imported again. `dryRun` shows the result and changes nothing.',
  listImportRows:
    'Lists the rows in the order of the file, each with its verdict and the reason. A page may have fewer rows than `limit`, or none; follow `nextCursor`.',
  updateImportRow:
    'Decides whether a row is booked, skipped or matched, and changes values of the file. Fields that are left out keep their values.',
  updateImportRows:
    'Decides on up to 500 rows by their ids, or on all rows that match a filter, at most 20,000.',
  listImportProfiles: 'Lists profiles in order of creation.',
  createImportProfile:
    'Stores how the file of an import was read, or the mapping that is sent. Files of the same shape are then read without questions.',
  updateImportProfile: 'Fields that are left out keep their values.',
}
