import type { HubName } from './hubs.ts'
import type { Grants } from './permissions.ts'

/** Signed-in caller: content of the access token. The first round trip of a call checks it against the session row. */
export interface Session {
  readonly id: string
  readonly version: number
  readonly accountId: number
  /** Id of the sub-account, or null for the main account. */
  readonly ramId: number | null
  readonly username: string
  readonly grants: Grants
  /** Name of the account's hub. Tokens of the release before have none. */
  readonly hub?: HubName
}

/** Row scope of a query: the caller's account and visible networks. */
export type Scope = Pick<Session, 'accountId' | 'grants'>

/** Software member that is signed in at the client application. */
export interface ClientSession {
  readonly id: string
  readonly accountId: number
  readonly routerId: number
}
