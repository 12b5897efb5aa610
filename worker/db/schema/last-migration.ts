/** Last file of migrations/ that this release needs; a test holds it to the folder. */
export const LAST_MIGRATION = '0063_request_ids.sql'
