/** A line of LDIF (RFC 2849): text that is not plain ASCII is base64. */
export const ldifLine = (name: string, value: string): string =>
  /^[\x20-\x7e]*$/.test(value) ? `${name}: ${value}` : `${name}:: ${Buffer.from(value).toString('base64')}`

const toRecord = (dn: string, changetype: string, lines: readonly string[]): string =>
  `${[ldifLine('dn', dn), `changetype: ${changetype}`, ...lines].join('\n')}\n`

export const addEntry = (dn: string, lines: readonly string[]): string => toRecord(dn, 'add', lines)

export const deleteEntry = (dn: string): string => toRecord(dn, 'delete', [])

/** Replaces the values of these attributes; null: none. */
export const modifyEntry = (dn: string, values: Readonly<Record<string, string | null>>): string =>
  toRecord(
    dn,
    'modify',
    Object.entries(values).flatMap(([name, value]) => [
      `replace: ${name}`,
      ...(value === null ? [] : [ldifLine(name, value)]),
      '-',
    ]),
  )

/** Another relative name, below another entry where one is given. */
export const renameEntry = (dn: string, newRdn: string, newSuperior?: string): string =>
  toRecord(dn, 'modrdn', [
    ldifLine('newrdn', newRdn),
    'deleteoldrdn: 1',
    ...(newSuperior === undefined ? [] : [ldifLine('newsuperior', newSuperior)]),
  ])

/** Records that are sent together, in this order. */
export const joinRecords = (...records: readonly string[]): string => records.join('\n')
