import { Hono } from 'hono'
import { contactsApi } from '#contract/contacts/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { unsubscribe, validateEmail } from './mail-links.ts'
import {
  createContact,
  editContact,
  listContacts,
  readContact,
  removeContact,
  renewAuthorization,
  sendValidateEmail,
} from './manage.ts'

export const contactsRoutes = new Hono<HonoEnv>()

mount(contactsRoutes, contactsApi, {
  lists: listContacts,
  info: (ctx, { uuid }) => readContact(ctx, uuid),
  create: createContact,
  edit: editContact,
  delete: (ctx, { uuid }) => removeContact(ctx, uuid),
  sendValidateEmail: (ctx, { uuid }) => sendValidateEmail(ctx, uuid),
  updateVerify: (ctx, { uuid }) => renewAuthorization(ctx, uuid),
  validateEmail: (ctx, { s }) => validateEmail(ctx, s),
  unsubscribe: (ctx, { s }) => unsubscribe(ctx, s),
})
