import { Hono } from 'hono'
import { contactsApi } from '#contract/contacts/index.ts'
import type { HonoEnv } from '#http/context.ts'
import { mount } from '#http/mount.ts'
import { acceptMails, refuseMails, unsubscribe, validateEmail } from './mail-links.ts'
import {
  createContact,
  editContact,
  listContacts,
  readContact,
  removeContact,
  renewAuthorization,
  sendValidateEmail,
} from './manage.ts'

/* Endpoints of contacts. */

export const contactsRoutes = new Hono<HonoEnv>()

mount(contactsRoutes, contactsApi, {
  lists: listContacts,
  info: readContact,
  create: createContact,
  edit: editContact,
  delete: removeContact,
  sendValidateEmail,
  updateVerify: renewAuthorization,
  validateEmail,
  unsubscribe,
  refuseMails,
  acceptMails,
})
