/** Columns of a row, `n` being its number from 0 on, the newest first, and `at` its time. */
const COLUMNS = {
  software_login_logs: {
    router_name: `'user' || n % 500 || '@bench'`,
    ok: `n % 10 <> 0`,
    reason: `iif(n % 10 = 0, '密码错误', '')`,
    ip: `'203.0.113.' || n % 250`,
    os: `'windows'`,
    version: `'1.4.2'`,
    sys_brand: `'Lenovo'`,
    sys_model: `'ThinkPad X1'`,
    sys_version: `'11'`,
    at: 'at',
  },
  connection_logs: {
    router_name: `'NL-R220-' || n % 500`,
    epoch: 'n / 2',
    online: 'n % 2',
    remote_ip: `'203.0.113.' || n % 250`,
    remote_port: 'n % 60000',
    version: `'2.1.0'`,
    reason: `iif(n % 2 = 0, '心跳超时', '')`,
    at: 'at',
  },
  dial_logs: {
    key: `'k' || n`,
    mode: `'p2p'`,
    network_number: `'N20260001'`,
    router_name: `'user' || n % 500 || '@bench'`,
    link_router_name: `'NL-R220-0001'`,
    orig: `'203.0.113.' || n % 250`,
    vpn_ip: `'100.64.16.' || n % 250`,
    start_at: 'at',
    end_at: 'iif(n % 100 = 0 and n < 2000, null, at + 3600000)', // a few still last
  },
  audit_logs: {
    actor_kind: `'main'`,
    actor_id: '1',
    actor_name: `'bench'`,
    module: `'network'`,
    action: `'edit_data'`,
    target: `'N20260001'`,
    message: `'修改组网设置'`,
    before: `json_object('network_name', '组网' || n)`,
    after: `json_object('network_name', '组网' || (n + 1))`,
    ip: `'203.0.113.7'`,
    request_id: `'r' || n`,
    at: 'at',
  },
} as const
export type LogTable = keyof typeof COLUMNS

interface LogRows {
  readonly accountId: number
  readonly rows: number
  /** The newest is from then. */
  readonly now: number
  /** Between two rows. */
  readonly stepMs: number
}

/** What inserts them, of D1 or SQLite. */
export const insertSql = (table: LogTable, { accountId, rows, now, stepMs }: LogRows): string => `
  with recursive numbers (n, at) as (
    select 0, ${now} union all select n + 1, cast(${now} - (n + 1) * ${stepMs} as integer) from numbers where n + 1 < ${rows})
  insert into ${table} (account_id, ${Object.keys(COLUMNS[table]).join()})
  select ${accountId}, ${Object.values(COLUMNS[table]).join()} from numbers`

export const insertRows = (db: D1Database, table: LogTable, rows: LogRows) => db.prepare(insertSql(table, rows)).run()
