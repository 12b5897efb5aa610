/** Limits of the handbook: import, search, and reads of an address. All are ours. */
export const HANDBOOK = {
  /** Version of the rendering. A higher one makes an unchanged folder import again. */
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
  orphanMs: 3_600_000, // life of an image without an article, for an import that is still uploading
  queryMax: 64,
  wordsMax: 5,
  foundMax: 20,
  extract: { before: 24, length: 96 },
  rate: { limit: 300, windowMs: 60_000 }, // reads of one address
} as const
