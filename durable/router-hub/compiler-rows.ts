import type { selectRouter } from '#features/router/sql/document-rows.ts'
import { type NetworkRows, groupNetworkRows } from '#domain/network/compile/rows.ts'
import { ROUTER_TYPE } from '#contract/router/limits.ts'

type RouterRows = Awaited<ReturnType<typeof selectRouter>>

/** Networks that the document names. A software member reads its own at sign-in: no hub pushes it. */
export const toCompilerRows = (
  { routerType }: { readonly routerType: number },
  rows: Omit<RouterRows, 'router' | 'jobs'>,
): readonly NetworkRows[] => (routerType === ROUTER_TYPE.hardware ? groupNetworkRows(rows) : [])
