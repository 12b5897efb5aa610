import type { Store } from '#infra/agent/store.ts'
import { NODE_NETWORKS } from './pop-driver.ts'

/* Kind of a device by its state folder: what one kind has left running, the other does not find. */

const isEmpty = (record: unknown): boolean => !Array.isArray(record) || record.length === 0

/** True where networks of a node run, or are left from an interrupted apply. */
export const isNodeState = async (store: Store): Promise<boolean> => !isEmpty(await store.load(NODE_NETWORKS))

/** Sentence for a state folder whose tunnels were started as those of the other kind of device; null for a right one. */
export async function stateProblem(store: Store, isNode: boolean): Promise<string | null> {
  if (isNode && !isEmpty(await store.load('slots')))
    return 'tunnels of this device run without --pop: take them off by `down` first'
  if (!isNode && (await isNodeState(store)))
    return 'networks of a POP node run here: use --pop, or take them off by `down` first'
  return null
}
