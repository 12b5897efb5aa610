import { directory } from './directory.ts'

/** Endpoints of the LDAP noun, collected. */
export const ldapApi = {
  status: directory.status,
  config: directory.config,
  check: directory.check,
  save: directory.save,
  uploadCa: directory.uploadCa,
  verifyDomain: directory.verifyDomain,
  downloadVerifyDomain: directory.downloadVerifyDomain,
  user: directory.user,
  import: directory.import,
  importAll: directory.importAll,
  remove: directory.remove,
  removeAll: directory.removeAll,
  sync: directory.sync,
  syncMode: directory.syncMode,
  syncStatus: directory.syncStatus,
  removeDisable: directory.removeDisable,
  restartSync: directory.restartSync,
  plan: directory.plan,
  runs: directory.runs,
  undo: directory.undo,
  confirm: directory.confirm,
  delete: directory.delete,
} as const
