const NOW = Date.parse('2026-11-20T02:00:00Z')
const HOUR = 3_600_000

export const HASH = '0123456789abcdef'.repeat(2)

export const LDAP_CONFIG = {
  mode: 'public',
  router_name: '',
  router_note: '',
  domain: 'acme.example',
  host: 'ldap.acme.example',
  port: 636,
  base_dn: 'dc=acme,dc=example',
  use_ssl: 1,
  use_tls: 0,
  ca_id: 'c'.repeat(32),
  public_ca: 0,
  file_name: 'acme-ca.pem',
  certificate_name: '',
  username: 'cn=reader,dc=acme,dc=example',
  has_password: 1,
  type: 1,
  user_filter: '(objectClass=person)',
  username_attribute: 'uid',
  phone_attribute: 'mobile',
  network_number: '2600000011',
  network_name: '总部与分支互联',
  sync_mode: 1,
  status: 1,
  create_time: NOW - 72 * HOUR,
  update_time: NOW - HOUR,
} as const

const NO_COUNTS = { added: 0, changed: 0, disabled: 0, enabled: 0, conflicts: 0, removable: 0 }
const COUNTS = { added: 2, changed: 1, disabled: 1, enabled: 0, conflicts: 1, removable: 1 }

const toUser = (uuid: string, username: string, description: string, verify: string) => ({
  uuid,
  username,
  description,
  exist: verify === '已导入' || verify === '目录中已删除' ? 1 : 0,
  disable: verify === '已禁用' || verify === '目录中已删除' ? 1 : 0,
  verify,
})

/** Replies of ldap/* reads for an account with a directory, as the hub answers them. */
export const LDAP_REPLIES = {
  'ldap/status': { enable: 1, data: { mode: 'public', sync_mode: '1', status: 1 } },
  'ldap/config': { enable: 1, notice: ['服务器证书将在30天内到期'], data: LDAP_CONFIG },
  'ldap/sync_status': {
    data: {
      count: 3,
      service: {
        status: 1,
        update_time: NOW - HOUR,
        actor: 'demo01',
        cycle: 60,
        operation_hours: 2,
        message: '',
        written: NO_COUNTS,
      },
      run: { state: 'done', phase: 'done', done: 5, total: 5, stop: '', hash: HASH, counts: COUNTS },
    },
  },
  'ldap/user': {
    data: [
      toUser('u1', 'zhangsan', '张三', '已导入'),
      toUser('u2', 'lisi', '李四', '可导入'),
      toUser('u3', 'wangwu', '王五', '目录中已删除'),
      toUser('u4', '名称 有空格', '赵六', '名称不合规'),
    ],
    count: 4,
    hash: HASH,
    list_time: NOW - HOUR,
  },
  'ldap/plan': {
    data: { ...COUNTS, names: [{ uuid: 'u2', name: 'lisi', to: 'lisi2', reason: '备注 李四 → 李思' }] },
    hash: HASH,
    count: 2,
  },
  'ldap/runs': {
    data: [
      {
        id: 'r1',
        kind: 'import',
        state: 'done',
        actor: 'demo01',
        counts: COUNTS,
        outside: 0,
        reason: '',
        left: 0,
        left_reason: '',
        message: '',
        can_undo: 1,
        start_time: NOW - HOUR,
        end_time: NOW - HOUR,
      },
      {
        id: 'r2',
        kind: 'list',
        state: 'failed',
        actor: '',
        counts: NO_COUNTS,
        outside: 0,
        reason: '',
        left: 0,
        left_reason: '',
        message: '无法连接到目录服务器',
        can_undo: 0,
        start_time: NOW - 2 * HOUR,
        end_time: NOW - 2 * HOUR,
      },
    ],
    count: 2,
  },
}
