/** Of measured/first-import.ts; milliseconds in the database. */
export interface FirstImport {
  readonly trips: number
  readonly importMs: number
  readonly bareMs: number
}
