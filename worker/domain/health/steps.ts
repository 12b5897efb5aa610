import type { AttentionKind } from '#contract/kernel/health.ts'

/* Steps against each kind of trouble, the most probable first. */

export interface StepFacts {
  /** Other devices behind the public address of the object; null if the address is unknown or nobody else is there. */
  readonly site: { readonly others: number; readonly away: number } | null
  /** End of a one-sided link that receives nothing, and the other end; null if both or none of them receive nothing. */
  readonly silent: { readonly end: string; readonly other: string } | null
  /** The object is also away by its presence, so that its links cannot work. */
  readonly isAway: boolean
}

type Steps = readonly string[]

const POWER = '请现场确认设备已通电、指示灯亮，WAN 口网线插好'
const UPLINK = '确认该处出口能上网：光猫或上级路由是否正常，宽带是否欠费'
const CONTROL = '确认 DNS 能解析控制台的域名，出口防火墙放行到控制台的 TCP 443 端口'
const RESTART_DEVICE = '断电 10 秒后重新上电，等待 2 分钟'
const TICKET = '仍未恢复时提交工单，诊断快照会一并附上'
const TUNNEL_PORT = '确认两端出口防火墙放行组网的隧道端口（UDP）'
const RESTART_TUNNEL = '重启隧道，链路会短暂中断'
const NOTICE = '查看公告，确认服务商是否正在维护或处理故障'
const RENEW = '在“我的服务”中续费，或联系服务商'

/** A device with neighbours behind its address is judged by them: line and power of the site, or the device alone. */
function absentSteps({ site }: StepFacts): Steps {
  if (site === null) return [POWER, UPLINK, CONTROL, TICKET]
  if (site.away === site.others)
    return [`该处其他 ${site.others} 台硬件也离线：先查供电和出口线路`, UPLINK, POWER, TICKET]
  return [`该处其他 ${site.others - site.away} 台硬件在线，线路和供电正常：先查这台设备`, POWER, RESTART_DEVICE, TICKET]
}

function linkSteps({ silent, isAway }: StepFacts): Steps {
  if (isAway) return ['先处理离线的一端，链路会随之恢复', TICKET]
  if (silent === null) return [TUNNEL_PORT, RESTART_TUNNEL, '确认两端没有更换出口或公网地址', TICKET]
  return [
    `“${silent.end}”收不到探测：检查“${silent.other}”的出口和“${silent.end}”的入口是否放行隧道端口（UDP）`,
    RESTART_TUNNEL,
    TICKET,
  ]
}

const always =
  (...steps: Steps) =>
  (): Steps =>
    steps

const STEPS: Readonly<Record<AttentionKind, (facts: StepFacts) => Steps>> = {
  fleet_offline: always(NOTICE, '任选一处确认能否打开外网网页，判断是出口线路还是服务端', POWER, TICKET),
  network_down: absentSteps,
  network_suspended: always('续费或增加席位，组网会自动恢复', '或从组网中移除成员，使席位不超出', TICKET),
  pop_expired: always('续费POP资源，接入会自动恢复', '暂不续费时，为组网添加中心点，由中心点转发'),
  center_offline: absentSteps,
  suspected: (facts) =>
    facts.site !== null && facts.site.away < facts.site.others
      ? absentSteps(facts)
      : ['等待不超过 2 分钟：设备的在线状态会确认是否失联', POWER, UPLINK, TICKET],
  pop_offline: always(NOTICE, '成员如有中心点，会自动改走中心点；请确认业务可用', TICKET),
  site_offline: always('该处设备同时离线：先查供电', UPLINK, '联系该处的运营商，确认线路是否中断', TICKET),
  member_offline: absentSteps,
  member_flapping: always(
    '确认出口线路是否丢包或频繁重拨',
    '确认没有两台设备使用同一个密钥或激活码',
    RESTART_DEVICE,
    TICKET,
  ),
  member_unreadable: always('等待几分钟：状态由服务端自动恢复，不代表设备离线', NOTICE, TICKET),
  links_together: linkSteps,
  link_down: linkSteps,
  link_one_sided: linkSteps,
  single_center: always('启用已停用的中心点', '或为组网添加另一个中心点，恢复冗余'),
  overlap: always('修改其中一方的网段', '不能修改时，不要让双方同在一个组网'),
  config_failed: always('按设备给出的原因修改对应的设置', '修改后重新下发', '确认设备已升级到最新版本', TICKET),
  config_reverted: always(
    '设备应用后连不上控制台，已退回上一份配置：检查最近修改的路由、端口和 DNS',
    '修改后重新下发',
    TICKET,
  ),
  config_unsynced: always('重新下发一次', RESTART_DEVICE, TICKET),
  setting_unsupported: always('升级该设备的固件', '暂时不能升级时，关闭它不支持的设置', TICKET),
  certificate_refused: always(
    '升级该设备的固件到最新版本，并重启设备',
    '仍无效时联系服务商重置该设备，用新的激活码激活后会生成新的密钥',
    TICKET,
  ),
  service_over: always(RENEW, '不再续费时，移除超出的成员、中心点或子账号，以免影响其他组网'),
  saas_over: always('联系服务商续费SaaS加速，续费后自动恢复', '不再使用时，请服务商移除该设备的SaaS加速'),
  delivery_failed: always(
    '打开监控配置，核对Webhook地址、密钥或邮箱，并发送测试通知',
    '确认对方的机器人没有被移除或限制来源',
    '恢复后在投递记录中重发失败的通知',
  ),
  directory_failed: always(
    '确认目录服务器在运行，控制台能访问它的地址和端口',
    '检查管理账号的密码和证书是否过期',
    '在LDAP接入中修改配置并重新检查，再读取一次目录',
    TICKET,
  ),
  directory_asking: always('打开LDAP接入，核对将被停用的成员', '确认无误后继续同步；不对则先检查目录和过滤条件'),
  ticket_answered: always('查看客服的回复', '已解决时评价并关闭工单，否则继续回复'),
  contact_expired: always('在告警联系人中续期授权', '不再需要时删除该联系人'),
  pop_ending: always('在到期前续费POP资源', '不再使用时，为组网添加中心点，由中心点转发'),
  service_ending: always(RENEW, '不再续费时，先移除超出的成员，以免组网停用'),
  saas_ending: always('在到期前联系服务商续费SaaS加速', '到期后该设备的SaaS加速停用，访问改走普通线路'),
  certificate_ending: always(
    '让该设备连上控制台：在线时证书会自动更新，隧道随后依次重连',
    '不再使用时，从组网中移除该设备',
    TICKET,
  ),
  quota_full: always('移除不再使用的成员或子账号', '联系服务商增加数量'),
}

export const stepsAgainst = (kind: AttentionKind, facts: StepFacts): Steps => STEPS[kind](facts)
