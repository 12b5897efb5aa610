import { DIRECTORY_OFF } from './limits.ts'
import { type ErrorEntry, invalid, notFound, doFirst } from '#contract/kernel/error-entry.ts'
import { RESULT } from '#contract/kernel/result.ts'

/* Refusals about the LDAP directory: its failures, and those of its settings and runs. */

const away = (msg: string) => ({ code: RESULT.invalid, msg, field: 'host' }) as const
const cert = (msg: string) => ({ code: RESULT.invalid, msg, field: 'ca_id' }) as const
const bind = (msg: string) => ({ code: RESULT.invalid, msg, field: 'username' }) as const
const base = (msg: string) => ({ code: RESULT.invalid, msg, field: 'base_dn' }) as const
const other = (msg: string) => ({ code: RESULT.invalid, msg }) as const

/** Failures of a connection: `LDAP_` and the reason of a DirectoryError (worker/outside/tls/failure.ts). */
const FAILURES = {
  LDAP_UNREACHABLE: away('无法连接到目录服务器，请核对地址、端口和防火墙设置'),
  LDAP_REFUSED: away('目录服务器拒绝了连接，请核对端口以及服务是否已启动'),
  LDAP_NAME_UNKNOWN: away('目录服务器的域名无法解析，请核对地址，或在硬件成员上配置可解析该域名的DNS'),
  LDAP_TIMEOUT: away('连接目录服务器超时，请核对地址、端口和防火墙设置'),
  LDAP_PRIVATE_ADDRESS: away('公网模式仅支持公网地址'),
  LDAP_PORT_NOT_ALLOWED: invalid('公网模式仅支持389、636、3268、3269端口', 'port'),
  LDAP_ADDRESS_NAMELESS: invalid('使用IP地址连接时，请填写属于该域名并解析到此地址的证书名称', 'certificate_name'),
  LDAP_ROUTER_OFFLINE: invalid('硬件成员不在线，请检查设备网络后重试', 'router_name'),
  LDAP_ROUTER_TOO_OLD: invalid('设备版本过低，请升级后再用于LDAP接入', 'router_name'),
  LDAP_ROUTER_SILENT: invalid('硬件成员没有建立目录连接，请检查设备到平台的网络后重试', 'router_name'),
  LDAP_ROUTER_REFUSED: away('硬件成员不允许连接该地址，请填写其局域网内的地址，或在设备上允许该目录服务器'),
  LDAP_ROUTER_BUSY: invalid('硬件成员上的目录连接已满，请稍后重试', 'router_name'),
  LDAP_CLOSED: away('目录服务器中断了连接，请稍后重试'),
  LDAP_WRONG_CA: cert('服务器证书不是由上传的CA签发（签发者：{issuer}），请上传正确的CA证书'),
  LDAP_WRONG_NAME: invalid(
    '服务器证书与连接地址不符（证书适用于：{names}），请更换地址或在高级中填写证书名称',
    'certificate_name',
  ),
  LDAP_CERTIFICATE_EXPIRED: cert('服务器证书已于{until}过期，请在目录服务器上更换证书'),
  LDAP_CERTIFICATE_NOT_YET_VALID: cert('服务器证书自{from}起才有效，请核对目录服务器的时间和证书'),
  LDAP_CERTIFICATE_PURPOSE: cert('服务器证书不能用于服务器身份认证，请更换证书'),
  LDAP_CERTIFICATE_INVALID: cert('服务器证书无法识别，请更换证书'),
  LDAP_CERTIFICATE_NOT_ALLOWED: cert('签发服务器证书的CA不允许签发该证书（名称、层级或用途受限），请更换证书'),
  LDAP_CERTIFICATE_WEAK: cert('服务器证书的签名算法或密钥不安全（SHA-1、MD5或不足2048位的RSA），请更换证书'),
  LDAP_CA_EXPIRED: cert('上传的CA证书已于{until}过期，请重新上传'),
  LDAP_PROTOCOL_TOO_OLD: other('目录服务器的加密协议过旧，请启用TLS 1.2或以上版本'),
  LDAP_CIPHERS_TOO_OLD: other(
    '目录服务器不支持ECDHE与AES-GCM等加密套件（Windows Server 2012 R2及更早版本），请升级系统或启用这些套件',
  ),
  LDAP_CLIENT_CERTIFICATE_NEEDED: other('目录服务器要求客户端证书，暂不支持，请在目录服务器上关闭该要求'),
  LDAP_NOT_TLS: invalid('该端口没有启用SSL，请改用StartTLS或更换端口', 'port'),
  LDAP_TLS_FAILED: other('与目录服务器建立加密连接失败，请核对网络设备是否改写了连接后重试'),
  LDAP_NOT_LDAP: invalid('该端口上不是LDAP服务，请核对地址和端口', 'port'),
  LDAP_TLS_NEEDED: invalid('该端口需要加密连接，请开启SSL', 'use_ssl'),
  LDAP_STARTTLS_NEEDED: invalid('目录服务器要求加密连接，请开启StartTLS或SSL', 'use_tls'),
  LDAP_STARTTLS_UNSUPPORTED: invalid('目录服务器不支持StartTLS，请改用SSL', 'use_tls'),
  LDAP_PAGING_UNSUPPORTED: other('目录服务器不支持分页查询，请在目录服务器上启用分页控制'),
  LDAP_BIND_REFUSED: bind('用户名或密码错误，请核对后重试'),
  LDAP_BIND_DISABLED: bind('该目录账号已被禁用，请启用或更换账号'),
  LDAP_BIND_EXPIRED_ACCOUNT: bind('该目录账号已过期，请延长有效期或更换账号'),
  LDAP_BIND_EXPIRED_PASSWORD: bind('该目录账号的密码已过期或必须修改，请修改密码后重试'),
  LDAP_BIND_LOCKED: bind('该目录账号已被锁定，请解锁后重试'),
  LDAP_BIND_RESTRICTED: bind('该目录账号不允许在当前时间或从当前位置登录，请调整限制'),
  LDAP_BIND_UNSUPPORTED: bind('目录服务器不支持简单绑定，请在目录服务器上启用'),
  LDAP_BASE_MISSING: base('Base DN 不存在，请核对'),
  LDAP_BASE_INVALID: base('Base DN 格式不正确，请核对'),
  LDAP_BASE_ELSEWHERE: base('Base DN 位于其他目录服务器，请连接到保存该数据的服务器'),
  LDAP_ACCESS_DENIED: bind('该目录账号没有读取用户的权限，请授权后重试'),
  LDAP_FILTER_INVALID: invalid('用户过滤条件不正确，请核对', 'user_filter'),
  LDAP_SIZE_LIMIT: other('目录服务器限制了返回数量，请为该账号放开数量限制'),
  LDAP_TIME_LIMIT: other('目录服务器查询超时，请缩小查询范围或放开时间限制'),
  LDAP_SERVER_BUSY: other('目录服务器繁忙，请稍后重试'),
  LDAP_SERVER_ERROR: other('目录服务器返回错误（代码{code}），请查看目录服务器的日志'),
  LDAP_NO_ID: other('目录中的用户没有唯一标识，请为该账号授予读取objectGUID或entryUUID的权限'),
  LDAP_DUPLICATE_ID: other('目录返回了重复的用户标识，请检查目录服务器'),
  LDAP_TOO_LARGE: other('目录返回的数据过大，请缩小查询范围'),
  LDAP_TOO_MANY: other('目录中的用户过多，请填写用户过滤条件或缩小 Base DN'),
  LDAP_INCOMPLETE: other('目录没有返回完整的用户列表，请检查目录服务器后重试'),
} as const satisfies Record<string, ErrorEntry>

/** Part of the catalogue in errors.ts. */
export const LDAP_ERRORS = {
  ...FAILURES,
  LDAP_OFF: doFirst(`${DIRECTORY_OFF}，请先完成配置`),
  LDAP_PASSWORD_AGAIN: invalid('连接信息已修改，请重新输入密码', 'password'),
  LDAP_BASE_FIXED: invalid('Base DN 创建后不可修改', 'base_dn'),
  LDAP_CHECK_FIRST: doFirst('请先检测配置'),
  LDAP_DOMAIN_UNPROVED: doFirst('域名尚未验证，请下载验证文件并放到域名根目录，或添加DNS TXT记录后重试', 'domain'),
  LDAP_HOST_OUTSIDE: invalid('地址必须是该域名或其子域名', 'host'),
  LDAP_TLS_TWICE: invalid('SSL与StartTLS不能同时开启', 'use_tls'),
  LDAP_CA_REQUIRED: invalid('请上传文件', 'ca_id'),
  LDAP_ROUTER_REQUIRED: invalid('请选择硬件设备', 'router_name'),
  LDAP_SIGN_REQUIRED: doFirst('请先在账号信息中设置账号后缀'),
  LDAP_LIST_CHANGED: notFound('目录数据已更新，请刷新列表后重试'),
  LDAP_BUSY: invalid('同步正在进行，请稍后重试'),
  LDAP_CONFIG_CHANGED: invalid('LDAP配置已修改，将按新配置重新同步'),
  LDAP_INTERRUPTED: invalid('同步多次中断，未完成的部分没有改动，请稍后重新同步'),
  LDAP_STALLED: invalid('同步超过120秒没有进展，已结束，请稍后重新同步'),
  LDAP_SUPERSEDED: invalid('已被新的同步取代'),
  LDAP_RUN_CLOSED: invalid('LDAP接入已关闭，同步没有执行'),
  LDAP_REMOVE_NOTHING: invalid('只能移除目录中已禁用或已删除的成员'),
  LDAP_NOTHING_TO_CONFIRM: invalid('没有等待确认的同步'),
  LDAP_UNDO_REFERRED: invalid('原配置使用的设备、组网或CA文件已被删除，不能撤销关闭，请重新配置'),
  LDAP_UNDO_GONE: invalid('该操作已超过24小时或之后又有变更，不能撤销'),
  LDAP_MANAGED: invalid('该成员由目录管理，请在目录中修改'),
  LDAP_ROUTER_IN_USE: invalid('设备“{name}”正用于LDAP接入，请先更换LDAP配置中的硬件设备'),
  LDAP_NETWORK_IN_USE: invalid('组网“{name}”是LDAP的关联组网，请先在LDAP配置中取消关联'),
  LDAP_CLOSE_UNCONFIRMED: invalid('请输入“{count}”确认关闭', 'confirm'),
  LDAP_CA_NOT_CERTIFICATE: invalid('文件不是证书，请上传PEM或DER格式的CA证书', 'file'),
  LDAP_CA_PRIVATE_KEY: invalid('文件中包含私钥，请只上传证书', 'file'),
  LDAP_CA_FILE_EXPIRED: invalid('证书已过期，请上传有效的证书', 'file'),
  LDAP_CA_TOO_MANY: invalid('文件中的证书过多，请只上传签发该服务器证书的CA', 'file'),
} as const satisfies Record<string, ErrorEntry>
