import type { TicketImage, TicketView } from '#contract/ticket/index.ts'
import type { Snapshot } from '#contract/ticket/snapshot.ts'
import type { StoredReply, StoredTicket } from '#features/ticket/sql/tickets.ts'
import type { Ctx } from './context.ts'
import { signedFileAddress } from './files.ts'

interface NamedFile {
  readonly key: string
  readonly name: string
}

/** A ticket with its conversation, its images under addresses that are good for 10 minutes. */
export async function toTicketView(
  ctx: Ctx,
  ticket: StoredTicket,
  replies: readonly StoredReply[],
  files: readonly NamedFile[],
): Promise<TicketView> {
  const images = new Map<string, TicketImage>()
  for (const { key, name } of files)
    images.set(key, { file_id: key, name, src: await signedFileAddress(ctx, key, ticket.accountId) })
  const imagesOf = (keys: string) => (JSON.parse(keys) as string[]).flatMap((key) => images.get(key) ?? [])
  const { grade, appraisal } = ticket
  return {
    ticket_number: ticket.number,
    ticket_title: ticket.title,
    ticket_type: ticket.type,
    ticket_status: ticket.status,
    create_time: ticket.createdAt,
    update_time: ticket.updatedAt,
    author: ticket.author,
    ticket_content: ticket.content,
    images: imagesOf(ticket.files),
    snapshot: toSnapshot(ticket.snapshot),
    dialogue: replies.map(({ files: keys, snapshot, ...reply }) => ({
      ...reply,
      images: imagesOf(keys),
      snapshot: toSnapshot(snapshot),
    })),
    appraise: grade === null ? null : { grade, content: appraisal },
    close_time: ticket.closedAt,
  }
}

const toSnapshot = (json: string | null): Snapshot | null => (json === null ? null : (JSON.parse(json) as Snapshot))
