import { Hono } from 'hono'
import { refuse } from '../../contract/errors.ts'
import { opsApi } from '../../contract/ops.ts'
import type { HonoEnv } from '../../http/context.ts'
import { mount } from '../../http/mount.ts'
import { insertAnnouncement } from '../announcements/queries.ts'
import { auditRow, operatorFor } from '../audit/queries.ts'
import { createAccount, createRam, createTokenLink, sendMessage, setAccountStatus, setService } from './accounts.ts'
import { provisionDevice, resetDevice } from './devices.ts'

export { operatorOnly } from './operator-only.ts'

export const opsRoutes = new Hono<HonoEnv>()

mount(opsRoutes, opsApi, {
  createAccount,
  setAccountStatus,
  setService,
  createRam,
  provisionDevice,
  resetDevice: (ctx, { serial }) => resetDevice(ctx, serial),
  tokenLink: createTokenLink,
  publishAnnouncement: async (ctx, { title, tag, content }) => {
    const [[row]] = await ctx.db.batch([
      insertAnnouncement(ctx.db, { title, tag, content, releaseAt: ctx.now }),
      auditRow(
        ctx,
        { module: 'ops', action: 'announcement/publish', target: title, message: `运营发布公告“${title}”` },
        operatorFor(0),
      ),
    ])
    return row ?? refuse('ANNOUNCEMENT_NOT_FOUND')
  },
  sendMessage,
})
