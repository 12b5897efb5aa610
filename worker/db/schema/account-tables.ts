import { type SQL, sql } from 'drizzle-orm'

/*
 * All tables with rows of accounts, in the order in which an erasure deletes them, and what an export shows of each column. A
 * test holds them to the schema.
 */

/** Columns by their names in SQL, separated by spaces. */
interface Columns {
  /** Data of the customer. */
  readonly exported: string
  /** Hashes, keys, sealed texts and whatever else opens something: never exported. */
  readonly secret?: string
  /** Record keeping of the service: names of hubs, revisions, states of deliveries. */
  readonly internal?: string
}

export interface AccountTable extends Columns {
  readonly name: string
  /** Condition of the account's rows, one that an index serves. */
  readonly rows: (accountId: number) => SQL
  /** Column with an index behind the account, for pages of a log. By default pages follow the row ids. */
  readonly pagedBy?: 'at'
}

const own = (accountId: number): SQL => sql`account_id = ${accountId}`

/** Rows by their parent: their table has no index of the account. */
const by =
  (column: string, parent: string) =>
  (accountId: number): SQL =>
    sql`account_id = ${accountId}
      and ${sql.raw(column)} in (select id from ${sql.raw(parent)} where account_id = ${accountId})`

/** Phones and addresses of the account, its contacts and members, as codes and mails name them. */
export const targetsOf = (accountId: number): SQL => sql`
  select '+' || area_code || ' ' || phone from accounts where id = ${accountId} and phone is not null
  union select email from accounts where id = ${accountId} and email is not null
  union select email from contacts where account_id = ${accountId}
  union select '+' || area_code || ' ' || phone from routers where account_id = ${accountId} and phone is not null`

/** Codes that its persons asked for, and those of visitors to its phones and addresses. */
const codesOf = (accountId: number): SQL => sql`
  (account_id is null or account_id = ${accountId}) and (target in (${targetsOf(accountId)})
    or owner = ${`main:${accountId}`} or owner in (select 'ram:' || id from ram_accounts where account_id = ${accountId})
    or owner in (select uniqid from recoveries where account_id = ${accountId}))`

const table = (name: string, columns: Columns & Partial<Pick<AccountTable, 'rows' | 'pagedBy'>>): AccountTable => ({
  rows: own,
  ...columns,
  name,
})

/** Sessions and pending sign-ins, and rows that would make the deletion of a router or a network long. */
const BEFORE_MEMBERS: readonly AccountTable[] = [
  table('sessions', {
    exported:
      'account_id ram_id ip user_agent created_at expires_at ended_at proved_until host place refresh_at refresh_ip refresh_place',
    secret: 'id refresh_hash refresh_parent',
    internal: 'version rotated_at',
  }),
  table('client_sessions', {
    rows: by('router_id', 'routers'),
    exported: 'account_id router_id os client_version ip created_at rotated_at expires_at ended_at auth_source_id',
    secret: 'id refresh_hash refresh_parent',
  }),
  table('login_tickets', {
    exported: 'purpose way person account_id ram_id expires_at used_at',
    secret: 'ticket_hash credential',
    internal: 'tries',
  }),
  table('token_links', { exported: 'account_id expires_at used_at', secret: 'token_hash' }),
  table('auth_requests', {
    rows: by('source_id', 'auth_sources'),
    exported: 'account_id source_id redirect_uri step user_id router_id reason device ip created_at expires_at',
    secret: 'id state_hash challenge',
    internal: 'ip_block',
  }),
  table('codes', {
    rows: codesOf,
    exported: 'purpose target account_id ip sent_at',
    secret: 'answer',
    internal: 'id tries expires_at used_at owner sender',
  }),
  table('recoveries', { exported: 'account_id step expires_at name', secret: 'uniqid' }),
  table('sign_in_origins', { exported: 'id account_id ram_id person kind value seen_at' }),
  table('ldap_configs', {
    exported:
      'account_id mode router_id domain host port base_dn security ca_key certificate_name username user_filter username_attribute phone_attribute network_id sync_mode created_at updated_at',
    secret: 'password_sealed',
    internal: 'revision',
  }),
  table('network_jobs', {
    rows: by('network_id', 'networks'),
    exported: 'id account_id network_id job_id kind router_id params state reason created_at expires_at data',
  }),
  table('network_versions', {
    rows: by('network_id', 'networks'),
    exported: 'id account_id network_id version changes actor_kind actor_name at',
  }),
  table('client_profiles', {
    exported:
      'id account_id router_id network_id router_name device_name issued_at issued_ip expires_at last_dial_at revoked_at warned_at link_expires_at',
    secret: 'link_hash',
    internal: 'credential_version',
  }),
]

/** Members with their settings and states. */
const MEMBERS: readonly AccountTable[] = [
  table('point_links', {
    exported: 'id account_id network_id server_id client_id gateway mask static_port port client_port',
  }),
  table('port_claims', {
    exported: 'id account_id network_id router_id service static_port public_ip public_port',
  }),
  table('member_settings', {
    exported: 'id account_id network_id router_id setting value updated_at',
    internal: 'revision',
  }),
  table('network_members', {
    exported: 'id account_id network_id router_id member_type segment_index host joined_at single_center',
  }),
  table('saas_devices', {
    exported:
      'router_id account_id group_name share bandwidth max_bandwidth expire_at pool_id country temp_bandwidth temp_start_at temp_expire_at created_at',
  }),
  table('ldap_members', { exported: 'router_id account_id directory_id note disabled_by_run' }),
  table('auth_bindings', {
    rows: by('source_id', 'auth_sources'),
    exported: 'id source_id account_id tenant user_id router_id area_code phone created_at',
  }),
  table('monitor_routers', { exported: 'account_id router_id' }),
  table('certificates', {
    exported:
      'id account_id authority_id router_id router_name serial is_server certificate issued_at expires_at revoked_at is_gateway',
    internal: 'request_hash',
  }),
  table('router_states', {
    rows: (accountId) => sql`router_id in (select id from routers where account_id = ${accountId})`,
    exported:
      'router_id presence presence_since presence_reason last_seen_at remote_host version mac os interfaces config_state config_reason config_at config_confirmed_at client_capabilities vpn certificate_request certificate_refusal certificate_refused_at config_refused endpoints',
    internal: 'probe_port config_version config_applied_version live notified_presence tunnel unreadable_since',
  }),
  table('routers', {
    exported:
      'id account_id name router_type device_id note status area_code phone source created_at left_network static_routes endpoints',
    secret: 'password password_sealed',
    internal: 'hub moved_from uid static_routes_revision credential_version note_revision endpoints_revision',
  }),
]

/** Networks with their settings; nodes that carry one are refreshed when it is deleted. */
const NETWORKS: readonly AccountTable[] = [
  table('network_settings', {
    exported: 'id account_id network_id setting value updated_at',
    internal: 'revision',
  }),
  table('revocations', { exported: 'id account_id network_id serial revoked_at expires_at' }),
  table('revocation_lists', { exported: 'network_id account_id authority_id list', internal: 'newest' }),
  table('pop_members', { exported: 'id account_id network_id area_id router_id segment_index port_index' }),
  table('networks', {
    exported:
      'id account_id number name network_type mode status ciphers created_at suspended_at withdrawn fr_id ciphers_at severity',
    secret: 'secret secret_sealed',
    internal: 'revision hub create_key',
  }),
]

/** All other tables, children first. */
const AFTER_MEMBERS: readonly AccountTable[] = [
  table('connection_logs', {
    pagedBy: 'at',
    exported:
      'id account_id router_name online remote_ip remote_port version reason at router_id local_ip upload download',
    internal: 'epoch router_uid',
  }),
  table('dial_logs', {
    exported:
      'id account_id mode network_number router_name link_router_name pop_name area orig vpn_ip rx tx reason start_at end_at router_id link_id is_link',
    internal: 'key seen_at router_uid',
  }),
  table('software_login_logs', {
    pagedBy: 'at',
    exported: 'id account_id router_name ok reason ip os version sys_brand sys_model sys_version at router_id',
    internal: 'router_uid',
  }),
  table('audit_logs', {
    pagedBy: 'at',
    exported: 'id account_id actor_kind actor_id actor_name module action target message before after ip at',
    internal: 'request_id',
  }),
  table('message_marks', {
    rows: by('message_id', 'messages'),
    exported: 'id message_id person account_id read_at deleted_at',
  }),
  table('messages', {
    exported: 'id account_id type title content created_at network_number router_name person ticket_number',
    internal: 'event_id',
  }),
  table('ticket_replies', {
    exported: 'id account_id ticket_id side name content files snapshot created_at',
    internal: 'mail_due_at mail_tries',
  }),
  table('tickets', {
    exported:
      'id account_id number person author type title content files snapshot status created_at updated_at answered_at closed_at grade appraisal deleted_at',
    internal: 'revision warned_at due_at',
  }),
  table('files', {
    exported: 'id account_id key purpose name type bytes sha256 created_by created_at attached_to person',
  }),
  table('contact_links', {
    exported: 'id account_id contact_id expires_at',
    secret: 'token_hash',
  }),
  table('contact_warnings', {
    exported: 'id account_id contact_id expires_at days',
    internal: 'mail_due_at mail_tries',
  }),
  table('contacts', {
    exported: 'id account_id uuid name email verified_at expires_at mail_state mail_at created_at',
    internal: 'warn_at',
  }),
  table('monitor_settings', {
    exported:
      'account_id enabled email_confirm webhook_confirm all_routers rules quiet_on quiet_start quiet_end contacts escalation updated_at',
  }),
  table('monitor_mutes', { exported: 'id account_id kind target until_at created_by created_at' }),
  table('alert_commands', { exported: 'id account_id kind target actor at' }),
  table('attention_handlers', { exported: 'id account_id trouble name at' }),
  table('webhooks', {
    exported: 'account_id type url_masked updated_at',
    secret: 'url_sealed secret_sealed',
  }),
  table('auth_source_codes', { exported: 'account_id code created_at' }),
  table('auth_sources', {
    exported:
      'id account_id type name app_id agent_id corp_id tenant auth_domain file_name file_content status created_at updated_at',
    secret: 'secret_sealed',
  }),
  table('ldap_runs', {
    exported: 'id account_id kind state actor_name counts failure can_undo started_at ended_at',
  }),
  table('ldap_domains', { exported: 'id account_id domain proved_at' }),
  table('ldap_hubs', { exported: 'account_id', internal: 'hub due_at' }),
  table('network_tickets', {
    exported:
      'id account_id number network_number type status attributes note fr_id created_by created_at completed_at',
  }),
  table('network_fr_areas', { rows: by('fr_id', 'network_frs'), exported: 'id account_id fr_id pop_id bandwidth' }),
  table('network_frs', { exported: 'id account_id name shortname status created_at expire_at lapsed' }),
  table('bandwidth_pools', { exported: 'id account_id name max created_at' }),
  table('authorities', {
    exported: 'id account_id name certificate expires_at created_at',
    secret: 'key_sealed',
  }),
  table('totp_recovery_codes', { exported: 'id person account_id used_at', secret: 'code_hash' }),
  table('totp_factors', {
    exported: 'person account_id ram_id enrolled_at',
    secret: 'secret_sealed',
    internal: 'last_step',
  }),
  table('saved_views', { exported: 'id account_id ram_id person list name query created_at' }),
  table('dismissed_steps', { exported: 'id account_id step dismissed_at' }),
  table('old_signs', { exported: 'id account_id sign expires_at' }),
  table('service_warnings', {
    rows: by('service_id', 'services'),
    exported: 'id service_id expire_at days account_id at',
  }),
  table('services', { exported: 'id account_id kind name quantity start_at expire_at', internal: 'warn_at' }),
  table('ram_accounts', {
    exported: 'id account_id role_id username nickname status created_at login_at',
    secret: 'password',
  }),
  table('ram_roles', { exported: 'id account_id name note flags networks created_at updated_at' }),
]

const ACCOUNTS = table('accounts', {
  rows: (accountId) => sql`id = ${accountId}`,
  exported:
    'id username nickname area_code phone email sign ram_domain birthday industry occupation status quagga quagga_advanced default_route software_auth_source created_at dns_quantity host ram_totp_required',
  secret: 'password',
  internal: 'hub',
})

/** Tables that an erasure empties in portions before, and after, it deletes members and networks with their hubs. */
export const PORTIONED_TABLES = { before: BEFORE_MEMBERS, after: AFTER_MEMBERS } as const

/** All tables, children first. */
export const ACCOUNT_TABLES: readonly AccountTable[] = [
  ...BEFORE_MEMBERS,
  ...MEMBERS,
  ...NETWORKS,
  ...AFTER_MEMBERS,
  ACCOUNTS,
]

/** Tables of the service itself, and what an erasure does with what they may hold of a customer. */
export const SERVICE_TABLES: Readonly<Record<string, string>> = {
  account_erasures: 'proof of an erasure, without data of the customer',
  announcements: 'of the operator',
  attempts: 'counters of at most a day; those of the account and its persons are deleted by their keys',
  captchas: 'of nobody, for five minutes',
  devices: 'stock of the operator: a device may be claimed again by its code',
  documents: 'handbook',
  handbook_imports: 'handbook',
  hub_holds: 'of the operator',
  hub_outbox: 'rows go when the hub has answered; an erasure waits for its own',
  job_runs: 'of the cron',
  mail_refusals: 'hash of an address whose owner wants no mails, kept for this person',
  missing_rows: 'those of deleted hubs and devices are deleted with them',
  outbox: 'local runs only; what went to phones and addresses of the account is deleted',
  pop_nodes: 'of the operator: an account with nodes is not erased',
  pops: 'of the operator',
  provider_status: 'of the operator',
  releases: 'of the operator',
  removed_devices: 'serial and key by which a device that was away learns of its removal, for 200 days',
  sms_countries: 'counts of the operator',
}
