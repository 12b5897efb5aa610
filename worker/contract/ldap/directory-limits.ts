/** Limits of a connection to a directory (worker/outside/ldap/README.md); all ours. */
export const DIRECTORY = {
  pageSize: 500, // slapd refuses pages above size.pr, Active Directory caps them at 1,000
  connectMs: 8_000, // one address
  dialMs: 16_000, // all addresses of a name
  addresses: 4, // of a name, that are tried
  handshakeMs: 10_000, // StartTLS and TLS
  bindMs: 10_000,
  searchMs: 60_000, // one page: a server that sends a byte a second does not get further
  serverSeconds: 60, // time limit that the server is asked to keep
  messageBytes: 2 << 20, // one LDAP message
  listingBytes: 256 << 20,
  valueBytes: 4_096, // of an attribute; longer ones (photos) are not read
  values: 100, // of an attribute
  users: 100_000,
  emptyPages: 100, // in a row, each with a cookie for the next
  filterLength: 512,
  chainLength: 10, // certificates that a server sends
  anchors: 20, // certificates of an uploaded file
} as const

/** Type of the directory limits, which tests fill with other numbers. */
export type DirectoryLimits = { readonly [Name in keyof typeof DIRECTORY]: number }

/** Public mode; the last two are the global catalog of Active Directory. */
export const DIRECTORY_PORTS: readonly number[] = [389, 636, 3268, 3269]
