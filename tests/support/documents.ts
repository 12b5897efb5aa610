import { selectRouter } from '#features/router/sql/document-rows.ts'
import type { RouterDocument } from '#contract/device/document.ts'
import { compileRouter } from '#domain/network/compile/compile.ts'
import { toCompilerRows } from '#durable/router-hub/database.ts'
import { db } from './test-worker.ts'

/** The document of a router, compiled from the rows that its hub selects. */
export async function compileDocument(hub: string): Promise<RouterDocument> {
  const { router, ...rows } = await selectRouter(db, hub)
  return compileRouter(router!.name, toCompilerRows(router!, rows), () => '0'.repeat(32))
}
