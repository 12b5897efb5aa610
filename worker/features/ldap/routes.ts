import { Hono } from 'hono'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { downloadDomainFile, verifyDomain } from './domain.ts'
import { listHardware, listRuns, listUsers, readConfig, readPlan, readStatus, readSyncStatus } from './read.ts'
import { checkDirectory, saveDirectory, uploadCa } from './save.ts'
import {
  closeDirectory,
  confirmRun,
  importAllUsers,
  importUsers,
  removeAllUsers,
  removeDisabled,
  removeUsers,
  restartSync,
  setSyncMode,
  syncDirectory,
  undoRun,
} from './tasks.ts'
import { ldapApi } from '#contract/ldap/index.ts'

/* Endpoints of the directory (LDAP). */

export const ldapRoutes = new Hono<HonoEnv>()

mount(ldapRoutes, ldapApi, {
  status: readStatus,
  config: readConfig,
  hardware: listHardware,
  check: checkDirectory,
  save: saveDirectory,
  uploadCa,
  verifyDomain,
  downloadVerifyDomain: downloadDomainFile,
  user: listUsers,
  import: importUsers,
  importAll: importAllUsers,
  remove: removeUsers,
  removeAll: removeAllUsers,
  sync: syncDirectory,
  syncMode: setSyncMode,
  syncStatus: readSyncStatus,
  removeDisable: removeDisabled,
  restartSync,
  plan: readPlan,
  runs: listRuns,
  undo: undoRun,
  confirm: confirmRun,
  delete: closeDirectory,
})
