import { RESULT, SENTENCE, type Violation, type WireCode, violation } from './result.ts'

interface ErrorEntry {
  readonly code: WireCode
  /** What happened and what to do next; `{name}` is replaced by the violation's parameter. */
  readonly msg: string
  /** The input field the message belongs to, where it is always the same one. */
  readonly field?: string
}

/** Every refusal of the service. A sentence stands here once; field rules stand beside their schema. */
export const ERRORS = {
  // transport
  FAULT: { code: 500, msg: SENTENCE.fault },
  ADDRESS_MALFORMED: { code: 400, msg: '请求地址不正确，请核对后重试' },
  HOST_NOT_LOCAL: { code: 400, msg: '本地运行只接受localhost和127.0.0.1，如需从其他地址访问，请设置HOST后重新启动' },
  PATH_UNKNOWN: { code: 404, msg: '请求的接口不存在' },
  BODY_TOO_LARGE: { code: 413, msg: '提交的内容过大，请精简后重试' },
  BODY_MALFORMED: { code: RESULT.invalid, msg: '提交的内容格式不正确' },
  INPUT_INVALID: { code: RESULT.invalid, msg: '{reason}' },
  TOO_OFTEN: { code: RESULT.tooOften, msg: '操作过于频繁，请{retry_after}秒后重试' },
  // session
  TOKEN_EXPIRED: { code: RESULT.expired, msg: SENTENCE.tokenExpired },
  SESSION_REVOKED: { code: RESULT.revoked, msg: '登录状态已失效，请重新登录' },
  TOKEN_BAD: { code: RESULT.badToken, msg: '请先登录' },
  PERMISSION_DENIED: { code: RESULT.forbidden, msg: SENTENCE.permissionDenied },
  ORIGIN_FOREIGN: {
    code: RESULT.forbidden,
    msg: '请求来自其他网站，已被拒绝，请从控制台页面操作；经代理访问时，请让代理保留 Host 请求头',
  },
  TICKET_BAD: { code: RESULT.badToken, msg: '连接凭证已失效，请刷新页面' },
  // identity
  CAPTCHA_WRONG: { code: RESULT.invalid, msg: '图形验证码错误或已失效，请重新输入', field: 'code' },
  IMG_CODE_WRONG: { code: RESULT.invalid, msg: '图形验证码错误或已失效，请重新输入', field: 'img_code' },
  PROOF_WRONG: { code: RESULT.invalid, msg: '无障碍验证未通过，请重试' },
  LOGIN_FAILED: { code: RESULT.invalid, msg: '用户名或密码错误', field: 'password' },
  HASHING_BUSY: { code: RESULT.tooOften, msg: '当前请求较多，请{retry_after}秒后重试' },
  LOGIN_PAUSED: { code: RESULT.tooOften, msg: '登录失败次数过多，请{minutes}分钟后重试', field: 'password' },
  WORK_REQUIRED: { code: RESULT.stepNeeded, msg: '失败次数较多，请完成安全验证后重试', field: 'code' },
  ACCOUNT_DISABLED: { code: RESULT.forbidden, msg: '账号已停用，请联系服务商' },
  LINK_BAD: { code: RESULT.badToken, msg: '授权链接无效或已过期，请重新获取' },
  CODE_WRONG: { code: RESULT.invalid, msg: '验证码错误或已失效，请重新获取', field: 'code' },
  CODE_SPENT: { code: RESULT.invalid, msg: '验证码错误次数过多，请重新获取', field: 'code' },
  CODE_TOO_SOON: { code: RESULT.tooOften, msg: '验证码已发送，请{retry_after}秒后重试' },
  CODE_ADDRESS: { code: RESULT.tooOften, msg: '当前网络获取验证码过于频繁，请{minutes}分钟后重试' },
  CODE_DAILY: { code: RESULT.tooOften, msg: '今日验证码发送次数已达上限，请明天再试' },
  SEND_FAILED: { code: RESULT.fault, msg: '验证码发送失败，请稍候尝试' },
  USERNAME_TAKEN: { code: RESULT.invalid, msg: '该用户名已被使用，请更换', field: 'username' },
  PHONE_TAKEN: { code: RESULT.invalid, msg: '该手机号码已被使用，请更换', field: 'phone' },
  EMAIL_TAKEN: { code: RESULT.invalid, msg: '该邮箱已被使用，请更换', field: 'email' },
  PASSWORD_COMMON: { code: RESULT.invalid, msg: '该密码过于常见，容易被猜到，请更换', field: 'password' },
  PASSWORD_PERSONAL: {
    code: RESULT.invalid,
    msg: '密码不能与用户名、昵称、邮箱或手机号码相同，请更换',
    field: 'password',
  },
  PASSWORD_UNCHANGED: { code: RESULT.invalid, msg: '新密码不能与原密码相同，请更换', field: 'password' },
  OLD_PASSWORD_WRONG: { code: RESULT.invalid, msg: '原密码错误', field: 'old_password' },
  PASSWORD_PAUSED: {
    code: RESULT.tooOften,
    msg: '原密码错误次数过多，请{minutes}分钟后重试',
    field: 'old_password',
  },
  RECOVERY_STEP: { code: RESULT.invalid, msg: '身份验证已失效，请从第一步重新开始' },
  SIGN_TAKEN: { code: RESULT.invalid, msg: '该后缀已被使用，请更换', field: 'sign' },
  RAM_NAME_TAKEN: { code: RESULT.invalid, msg: '该子账号名称已存在，请更换', field: 'username' },
  RAM_ROLE_TAKEN: { code: RESULT.invalid, msg: '该角色名称已存在，请更换', field: 'role' },
  UPGRADE_REQUIRED: { code: RESULT.invalid, msg: '该地址仅支持 WebSocket 连接' },
  // networks
  NETWORK_NOT_FOUND: { code: RESULT.notFound, msg: '组网不存在或已被删除' },
  NETWORK_MEMBERS_REQUIRED: { code: RESULT.invalid, msg: '请选择网络成员', field: 'center' },
  NETWORK_CENTER_REQUIRED: { code: RESULT.invalid, msg: '请至少选择一个中心点', field: 'center' },
  CENTER_LIMIT_REACHED: { code: RESULT.invalid, msg: '中心点仅支持{limit}个', field: 'center' },
  MEMBER_LIMIT_REACHED: {
    code: RESULT.invalid,
    msg: '最多支持{limit}个成员，如需使用更多成员数请升级！',
    field: 'point',
  },
  SOFTWARE_CENTER_FORBIDDEN: {
    code: RESULT.invalid,
    msg: '软件成员不允许添加至中心点，请选择硬件成员添加！',
    field: 'center',
  },
  MEMBER_TWICE: { code: RESULT.invalid, msg: '成员“{name}”被重复选择', field: 'point' },
  MEMBER_ALREADY_IN: { code: RESULT.invalid, msg: '成员“{name}”已在该组网中', field: 'router_name' },
  MEMBER_NOT_IN_NETWORK: { code: RESULT.notFound, msg: '该成员不在此组网中' },
  MEMBER_NETWORKS_FULL: { code: RESULT.invalid, msg: '成员“{name}”加入的组网已达上限{limit}个', field: 'point' },
  LAST_CENTER: { code: RESULT.invalid, msg: '组网至少需要一个中心点，请先添加其他中心点或删除组网' },
  ROUTER_IS_LAST_CENTER: {
    code: RESULT.invalid,
    msg: '该成员是组网“{network}”唯一的中心点，请先为其添加其他中心点或删除该组网',
  },
  ROUTER_IN_ROUTING: {
    code: RESULT.doFirst,
    msg: '“{name}”是组网“{network}”的主路由或备路由，请先更换，或确认后关闭主备路由',
  },
  ROUTER_IN_CENTER_LINK: {
    code: RESULT.doFirst,
    msg: '“{name}”是组网“{network}”双中心点互通的一端，请先关闭互通，或确认后关闭',
  },
  CENTER_LINK_HAS_TWO: {
    code: RESULT.doFirst,
    msg: '组网“{network}”已开启双中心点互通，仅支持两个中心点，请先关闭互通，或确认后关闭',
  },
  CENTER_LINK_NEEDS_TWO: { code: RESULT.invalid, msg: '双中心点互通需要组网恰好有两个中心点' },
  CENTER_LINK_UNSET: { code: RESULT.doFirst, msg: '请先设置双中心点互通的服务端和网段' },
  POINT_LINK_PEER: {
    code: RESULT.invalid,
    msg: '“{name}”不能建立点对点互联，请选择该组网中作为普通点的其他硬件成员',
    field: 'link_config',
  },
  POINT_LINK_LIMIT: { code: RESULT.invalid, msg: '“{name}”的互联已达上限{limit}条', field: 'link_config' },
  TYPE_TWO_CENTER_FORBIDDEN: {
    code: RESULT.invalid,
    msg: '点对点组网没有中心点，请将成员添加为普通点',
    field: 'center',
  },
  TYPE_TWO_MEMBERS_REQUIRED: { code: RESULT.invalid, msg: '点对点组网至少需要{min}个成员', field: 'point' },
  SEGMENT_CONFLICT: {
    code: RESULT.invalid,
    msg: '网段冲突：{a}（{segment_a}）与{b}（{segment_b}）重叠，请调整后再添加',
    field: 'point',
  },
  SEGMENT_CONFLICT_HIDDEN: {
    code: RESULT.invalid,
    msg: '网段冲突：{a}（{segment_a}）与{b}重叠，请联系主账号处理',
    field: 'point',
  },
  NETWORK_SUSPENDED: { code: RESULT.forbidden, msg: '成员配额不足，组网已停用，请续费或移除多余成员' },
  NETWORK_CHANGED: { code: RESULT.invalid, msg: '组网已被其他人修改，请刷新后重试' },
  DEVICE_UNSUPPORTED: {
    code: RESULT.invalid,
    msg: '设备不支持此操作：{devices}。{reason}，请升级或移出后重试',
  },
  SETTING_CHANGED: { code: RESULT.invalid, msg: '该配置已被其他人修改，请刷新后重试' },
  PORT_TAKEN: { code: RESULT.invalid, msg: '端口{port}已被{owner}使用，建议改为{free}', field: 'static_port' },
  PORT_TAKEN_HIDDEN: {
    code: RESULT.invalid,
    msg: '端口{port}已被您无权查看的组网使用，建议改为{free}',
    field: 'static_port',
  },
  PUBLIC_PORT_TAKEN: {
    code: RESULT.invalid,
    msg: '公网地址{ip}:{port}已被{owner}使用，建议将公网端口改为{free}',
    field: 'public_port',
  },
  PORTS_USED_UP: { code: RESULT.invalid, msg: '该设备已没有可用的端口，请先释放其他端口', field: 'static_port' },
  MASK_TOO_SMALL: {
    code: RESULT.invalid,
    msg: '该网段最多容纳{hosts}个成员，当前有{members}个成员，请选择更大的网段',
    field: 'mask',
  },
  DNS_LIMIT_REACHED: { code: RESULT.invalid, msg: '最多支持{limit}个DNS地址，如需使用更多请升级！', field: 'dns' },
  FEATURE_NOT_ENABLED: { code: RESULT.forbidden, msg: '当前账号未开通{feature}，已有的设置只能关闭，请联系服务商开通' },
  ROUTING_NEEDS_TWO: { code: RESULT.invalid, msg: '路由配置至少需要2个中心点，请先添加中心点', field: 'type' },
  ROUTING_NO_CENTER: { code: RESULT.invalid, msg: '所选成员不是该组网的中心点，请重新选择', field: 'main_router' },
  PREFIX_TWICE: { code: RESULT.invalid, msg: '网络号{prefix}重复，请删除重复的行', field: 'prefix' },
  SEGMENT_TAKEN: {
    code: RESULT.invalid,
    msg: '网段{segment}与{owner}（{other}）重叠，建议改为{free}',
    field: 'gateway',
  },
  SEGMENT_TAKEN_HIDDEN: {
    code: RESULT.invalid,
    msg: '网段{segment}与您无权查看的组网中的网段重叠，建议改为{free}',
    field: 'gateway',
  },
  SEGMENT_NONE_FREE: {
    code: RESULT.invalid,
    msg: '网段{segment}已被占用，且没有同样大小的可用网段，请选择更小的网段',
    field: 'gateway',
  },
  HOSTS_OUTSIDE: {
    code: RESULT.doFirst,
    msg: '新网段容纳不了{count}个成员现有的地址，需要为其重新分配地址，请确认后保存',
  },
  POOL_OUTSIDE: {
    code: RESULT.invalid,
    msg: '地址范围应在{first}~{last}之间，且起始IP不大于结束IP',
    field: 'start',
  },
  CENTER_ONLY: { code: RESULT.invalid, msg: '仅中心点支持此操作', field: 'router_name' },
  SEGMENTS_USED_UP: { code: RESULT.invalid, msg: '可分配的网段已用完，请联系服务商' },
  AREA_UNKNOWN: { code: RESULT.invalid, msg: '所选区域不属于该组网的POP资源，请刷新后重试', field: 'ov_id_main' },
  FR_NOT_USABLE: { code: RESULT.invalid, msg: '该POP资源不存在、已过期或已撤销，请重新选择', field: 'network_fr_id' },
  FR_POOL_MISSING: { code: RESULT.doFirst, msg: '请先在IP地址池中设置POP与POP软件成员的网段' },
  NETWORK_FR_EXISTS: {
    code: RESULT.invalid,
    msg: '该组网已接入POP资源“{name}”，到期或撤销前不能再次提交',
    field: 'network_number',
  },
  NETWORK_TICKET_CHANGED: { code: RESULT.invalid, msg: '工单状态已变化，请刷新后重试' },
  NETWORK_TICKET_NOT_CANCELLABLE: {
    code: RESULT.invalid,
    msg: '工单当前为“{status}”，仅处理中或已完成的工单可以取消',
  },
  NETWORK_TICKET_NOT_DELETABLE: {
    code: RESULT.invalid,
    msg: '工单当前为“{status}”，仅未处理或已取消的工单可以删除',
  },
  NETWORK_TICKET_NOT_FOUND: { code: RESULT.notFound, msg: '工单不存在或已被删除' },
  NETWORK_TICKET_OPEN: {
    code: RESULT.invalid,
    msg: '该组网已有未完成的接入POP工单，请等待处理，或删除、取消该工单后再提交',
    field: 'network_number',
  },
  POP_CONF_UNCHOSEN: { code: RESULT.invalid, msg: '成员只能分配到所选的POP区域，请重新分配', field: 'pop_conf' },
  POP_NOT_OFFERED: { code: RESULT.invalid, msg: '所选POP区域暂不可购买，请重新选择', field: 'pop' },
  // members
  NETWORK_CHOICE_REQUIRED: { code: RESULT.invalid, msg: '请选择要加入的组网', field: 'network_number' },
  ROUTER_NOT_FOUND: { code: RESULT.notFound, msg: '成员不存在或已被删除' },
  DEVICE_UNKNOWN: { code: RESULT.invalid, msg: '序列号或激活码不正确', field: 'code' },
  DEVICE_CLAIMED: { code: RESULT.invalid, msg: '该设备已被绑定，如有疑问请联系服务商', field: 'username' },
  ROUTER_NAME_TAKEN: { code: RESULT.invalid, msg: '该账号已存在，请更换', field: 'username' },
  SOFTWARE_LIMIT_REACHED: { code: RESULT.invalid, msg: '软件成员数量已达上限{limit}个，请升级' },
  SIGN_REQUIRED: { code: RESULT.doFirst, msg: '请先设置软件成员账号后缀' },
  MEMBER_PHONE_TAKEN: { code: RESULT.invalid, msg: '该手机号码已绑定其他成员，请更换', field: 'phone' },
  ROW_NAME_TWICE: { code: RESULT.invalid, msg: '账号与第{row}行重复' },
  ROW_PHONE_TWICE: { code: RESULT.invalid, msg: '手机号码与第{row}行重复' },
  ROW_LEFT_OUT: { code: RESULT.invalid, msg: '其他行有误，未添加' },
  MEMBERS_CHANGED: { code: RESULT.invalid, msg: '成员已被其他人修改，请重新上传', field: 'file' },
  PHONE_MUST_VERIFY: { code: RESULT.stepNeeded, msg: '该手机号码已绑定其他成员，请输入短信验证码确认', field: 'phone' },
  ROUTER_OFFLINE: { code: RESULT.doFirst, msg: '设备当前离线，请在设备上线后重试' },
  CONTACT_REQUIRED: { code: RESULT.doFirst, msg: '请先绑定手机或者邮箱，再修改密码' },
  SOFTWARE_ONLY: { code: RESULT.invalid, msg: '仅软件成员支持此操作' },
  HARDWARE_ONLY: { code: RESULT.invalid, msg: '仅硬件成员支持此操作' },
  ROUTER_SHARED: { code: RESULT.forbidden, msg: '该成员还在您无权管理的组网中，请联系主账号处理' },
  // workbooks and files
  WORKBOOK_INVALID: {
    code: RESULT.invalid,
    msg: '文件格式不正确，请下载模板填写后另存为xlsx格式再上传',
    field: 'file',
  },
  WORKBOOK_HEADER: {
    code: RESULT.invalid,
    msg: '表头与模板不一致，请下载模板填写后再上传',
    field: 'file',
  },
  WORKBOOK_EMPTY: { code: RESULT.invalid, msg: '文件中没有成员，请按模板填写后再上传', field: 'file' },
  WORKBOOK_TOO_LARGE: { code: RESULT.invalid, msg: '文件过大，请上传小于{limit}MB的文件〜', field: 'file' },
  WORKBOOK_TOO_COMPLEX: {
    code: RESULT.invalid,
    msg: '文件解压后过大，请将数据复制到新的模板中再上传',
    field: 'file',
  },
  WORKBOOK_ROWS: {
    code: RESULT.invalid,
    msg: '表格不能超过{limit}行，请拆分后分次上传',
    field: 'file',
  },
  WORKBOOK_COLUMNS: { code: RESULT.invalid, msg: '表格不能超过{limit}列，请删除多余的列后重试', field: 'file' },
  FILE_EMPTY: { code: RESULT.invalid, msg: '{noun}没有内容，请重新选择', field: 'file' },
  FILE_TOO_LARGE: { code: RESULT.invalid, msg: '{noun}大小不能超过 {limit}MB!', field: 'file' },
  FILE_TYPE: { code: RESULT.invalid, msg: '选择的{noun}中包含不支持的格式', field: 'file' },
  FILE_NOT_FOUND: { code: RESULT.notFound, msg: '文件不存在或链接已过期，请刷新页面后重试' },
  // calls to the outside
  OUTBOUND_URL_INVALID: { code: RESULT.invalid, msg: '请填写完整有效的网址，以 https:// 开头', field: 'url' },
  OUTBOUND_HTTPS_REQUIRED: { code: RESULT.invalid, msg: '仅支持 https:// 开头的网址，请更换', field: 'url' },
  OUTBOUND_CREDENTIALS: { code: RESULT.invalid, msg: '网址中不能包含用户名和密码，请删除后重试', field: 'url' },
  OUTBOUND_PORT: { code: RESULT.invalid, msg: '网址仅支持443和8443端口，请更换', field: 'url' },
  OUTBOUND_ADDRESS: { code: RESULT.invalid, msg: '该网址指向内网或保留地址，请填写可从公网访问的域名', field: 'url' },
  OUTBOUND_HOST_UNKNOWN: { code: RESULT.invalid, msg: '域名“{host}”无法解析，请核对后重试', field: 'url' },
  OUTBOUND_UNREACHABLE: { code: RESULT.invalid, msg: '无法连接“{host}”，请检查对方服务后重试' },
  OUTBOUND_TIMEOUT: { code: RESULT.invalid, msg: '“{host}”在{seconds}秒内没有应答，请稍后重试' },
  OUTBOUND_REDIRECT: { code: RESULT.invalid, msg: '“{host}”要求跳转到其他地址，请填写跳转后的最终网址', field: 'url' },
  OUTBOUND_REPLY_INVALID: { code: RESULT.invalid, msg: '“{host}”返回的内容无法识别，请核对配置后重试' },
  // others
  ANNOUNCEMENT_NOT_FOUND: { code: RESULT.notFound, msg: '公告不存在或已被删除' },
  // operator and devices
  ACCOUNT_NOT_FOUND: { code: RESULT.notFound, msg: '账号不存在' },
  DEVICE_NOT_FOUND: { code: RESULT.notFound, msg: '设备不存在，请核对序列号' },
  NETWORK_TICKET_STEP: { code: RESULT.invalid, msg: '工单当前为“{status}”，不能改为“{next}”' },
  NETWORK_TICKET_WITHOUT_RESOURCE: { code: RESULT.invalid, msg: '该工单没有可撤销的POP资源' },
  POP_NAME_TAKEN: { code: RESULT.invalid, msg: '该区域名称已存在，请更换', field: 'name' },
  POP_NODE_IN_USE: {
    code: RESULT.invalid,
    msg: '该节点正在为另一区域的组网服务，不能更换区域',
    field: 'name',
  },
  POP_NODE_IS_MEMBER: { code: RESULT.invalid, msg: '该设备是组网成员，不能作为POP节点', field: 'serial' },
  POP_NODE_MISSING: { code: RESULT.doFirst, msg: '区域“{pop}”没有可用的节点，请先添加节点' },
  POP_NODE_UNKNOWN: { code: RESULT.notFound, msg: '节点设备不存在或尚未被绑定，请核对序列号' },
  POP_NOT_FOUND: { code: RESULT.notFound, msg: 'POP区域不存在，请核对名称' },
  HOST_UNKNOWN: { code: RESULT.invalid, msg: '该域名未登记，请先加入域名配置', field: 'origin' },
  SERIAL_TAKEN: { code: RESULT.invalid, msg: '该序列号已存在', field: 'serial' },
  DEVICE_KEY_PINNED: { code: RESULT.forbidden, msg: '设备密钥已登记，请先重置激活码' },
  DEVICE_UNCLAIMED: { code: RESULT.doFirst, msg: '设备尚未被账号绑定' },
  DEVICE_DISABLED: { code: RESULT.forbidden, msg: '设备已停用，请联系账号管理员启用' },
  DEVICE_REJECTED: { code: RESULT.badToken, msg: '设备身份校验失败' },
} as const satisfies Record<string, ErrorEntry>

export type ErrorKey = keyof typeof ERRORS

export function toMessage({ key, params }: Violation): string {
  return ERRORS[key].msg.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
}

export function fieldOf({ key, field }: Violation): string | undefined {
  const entry: ErrorEntry = ERRORS[key]
  return field ?? entry.field
}

/** Thrown where a rule refuses a call: answered from the catalogue. Every other error is a fault, answered as 500. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly violation: Violation
  constructor(found: Violation) {
    super(toMessage(found))
    this.violation = found
  }
}

/** Throws if a rule found something. */
export function throwIf(found: Violation | null): void {
  if (found) throw new Refusal(found)
}

export function refuse(key: ErrorKey, params: Violation['params'] = {}, field?: string): never {
  throw new Refusal(violation(key, params, field))
}
