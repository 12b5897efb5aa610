/* Limits of the LDAP directory. Comments name the section of the specification; values without one are ours. */

/** Start of a refusal that pages also show, which do not load the catalogue of this noun. */
export const DIRECTORY_OFF = '尚未启用LDAP接入'

/** Sentences of fields that another choice of the form makes necessary; the page shows them, too. */
export const LDAP_MISSING = { router_name: '请选择硬件设备', ca_id: '请上传文件' } as const

/** Lengths of the form (directory 9, but for a longer user name); the last four are ours. */
export const LDAP_FORM = {
  host: 128,
  port: 5,
  baseDn: 255,
  username: 256, // a DN of Active Directory
  password: 32,
  domain: 253,
  filter: 512,
  certificateName: 253,
  attribute: 64,
} as const

export const LDAP_MODES = ['public', 'private'] as const
export type LdapMode = (typeof LDAP_MODES)[number]
export const LDAP_SYNC = { manual: 1, automatic: 2 } as const // directory 9

export const LDAP = {
  cycleMinutes: 60,
  cycleSpread: 0.1,
  checkRate: { limit: 10, windowMs: 60_000 },
  checkedMs: 600_000, // validity of a successful check for a save
  sample: 5,
  stalledMs: 120_000, // time without progress after which a run is over
  resumes: 2, // of a run whose hub was evicted
  callMs: 60_000, // directory 7
  checkMs: 50_000, // below callMs, so that a check answers before its caller gives up
  uuidsMax: 500,
  hardwareShown: 50, // options of the form
  writePortion: 2_000, // members that one batch writes
  addPortion: 7_000, // additions that one batch writes, in statements of `addRows`
  addRows: 2_000, // so that their values stay below 1 MB
  retryMs: 5_000, // before a run continues that lost the database
  undoMs: 86_400_000,
  listedMs: 3_600_000, // age after which the page of users reads the listing again
  failuresAlert: 3,
  certificateDays: 30,
  packed: 500, // users in a row of the stored listing
  namesKept: 50, // in an audit row
  planNames: 100, // on a page of the plan
} as const

/** Limit of wrong passwords of one user before a pause, below the usual lock of Active Directory. */
export const LDAP_SIGN_IN = {
  failures: 3,
  minutes: 15,
  answerMs: 20_000,
  atOnce: 32, // connections to one directory; the others wait
} as const

/** Number of disabled members above which a run stops and asks. */
export const LDAP_STOP = { members: 20, share: 0.1, shareFrom: 3 } as const

export const RUN_PHASES = ['waiting', 'listing', 'comparing', 'writing', 'asking', 'done', 'failed'] as const
export type RunPhase = (typeof RUN_PHASES)[number]

/** Limits of a connection to a directory (worker/outside/ldap/README.md); all ours. */
export const DIRECTORY = {
  pageSize: 500, // slapd refuses pages above size.pr, Active Directory caps them at 1,000
  connectMs: 8_000, // one address
  dialMs: 16_000, // all addresses of a name
  addresses: 4, // tried addresses of a name
  handshakeMs: 10_000, // StartTLS and TLS
  bindMs: 10_000,
  searchMs: 60_000, // one page, also from a server that sends a byte a second
  serverSeconds: 60, // time limit in the request to the server
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

/** Allowed ports of public mode; the last two are the global catalog of Active Directory. */
export const DIRECTORY_PORTS: readonly number[] = [389, 636, 3268, 3269]
