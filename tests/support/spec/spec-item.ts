/** Something a document of the specification names, with document and section. */
export type SpecItem = readonly [name: string, section: string]
