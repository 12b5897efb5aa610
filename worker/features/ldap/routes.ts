import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { downloadDomainFile, verifyDomain } from './domain.ts'
import { listRuns, listUsers, readConfig, readPlan, readStatus, readSyncStatus } from './read.ts'
import { checkDirectory, saveDirectory } from './save.ts'
import { applyTask, closeDirectory, confirmRun, restartSync, setSyncMode, undoRun } from './tasks.ts'
import { uploadCa } from './upload-ca.ts'
import { ldapApi } from '#contract/ldap/index.ts'

export const ldapRoutes = new Hono<HonoEnv>()

mount(ldapRoutes, ldapApi, {
  status: readStatus,
  config: readConfig,
  check: checkDirectory,
  save: saveDirectory,
  uploadCa,
  verifyDomain,
  downloadVerifyDomain: downloadDomainFile,
  user: listUsers,
  import: (ctx, { hash, uuid }) => applyTask(ctx, { kind: 'import', hash, uuids: uuid }),
  importAll: (ctx, { hash }) => applyTask(ctx, { kind: 'import', hash, uuids: null }),
  remove: (ctx, { hash, uuid }) => applyTask(ctx, { kind: 'remove', hash, uuids: uuid }),
  removeAll: (ctx, { hash }) => applyTask(ctx, { kind: 'remove', hash, uuids: null }),
  sync: (ctx, { hash }) => applyTask(ctx, { kind: 'sync', hash }),
  syncMode: setSyncMode,
  syncStatus: readSyncStatus,
  removeDisable: (ctx) => applyTask(ctx, { kind: 'remove_disable' }),
  restartSync,
  plan: readPlan,
  runs: listRuns,
  undo: undoRun,
  confirm: confirmRun,
  delete: closeDirectory,
})
