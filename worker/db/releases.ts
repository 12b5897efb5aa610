import type { Db } from './client.ts'
import { isOneOf } from './columns.ts'
import { releases } from './schema/releases.ts'

/** Those of the keys that a published build names. */
export const selectReleaseKeys = (db: Db, keys: readonly string[]) =>
  db.select({ key: releases.key }).from(releases).where(isOneOf(releases.key, keys))
