/** Something a document of the specification names, with document and section. */
export type Found = readonly [name: string, section: string]
