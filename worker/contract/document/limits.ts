/** The handbook: its import, its search and how often an address may read it; all ours. */
export const HANDBOOK = {
  /** Raised when the same Markdown is rendered otherwise, so that an unchanged folder is imported again. */
  format: 1,
  idMax: 64,
  titleMax: 60,
  pathMax: 200,
  chaptersMax: 50,
  articlesMax: 500,
  markdownMax: 60_000,
  imagesMax: 500,
  imageMaxBytes: 524_288,
  importMaxBytes: 8_388_608,
  rowsMaxLength: 300_000, // characters of rows that one statement writes: a bound value holds 2 MB
  orphanMs: 3_600_000, // an image that no article shows is kept so long, for the import that is uploading it
  queryMax: 64,
  wordsMax: 5,
  foundMax: 20,
  extract: { before: 24, length: 96 },
  rate: { limit: 300, windowMs: 60_000 }, // reads of one address
} as const
