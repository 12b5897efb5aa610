/** Search base and attributes of users. Null: the default of the server's kind. */
export interface UserQuery {
  readonly baseDn: string
  readonly filter: string | null
  readonly usernameAttribute: string | null
  readonly phoneAttribute: string | null
}

/** One user of a directory, as the server holds it (to-entry.ts makes it): nothing is checked or shortened by the rules of members yet. */
export interface DirectoryEntry {
  /** Immutable: objectGUID, entryUUID, ipaUniqueID or nsUniqueId. */
  readonly id: string
  readonly dn: string
  readonly username: string
  readonly displayName: string
  readonly description: string
  readonly phones: readonly string[]
  readonly isDisabled: boolean
}
