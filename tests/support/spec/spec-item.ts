/** Something a document of the specification names, with document and section. */
export type SpecItem = readonly [name: string, section: string]

/** A statement of a document and the test that proves it: section, statement, file in tests/, title there. */
export type Proof = readonly [section: string, what: string, file: string, title: string]

/** The same with a proof on the server and one on a page, as `file › title`; null where that side has no say. */
export type Rule = readonly [section: string, what: string, server: string | null, page: string | null]
