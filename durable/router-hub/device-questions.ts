import {
  type DeviceQuestion,
  QUESTION,
  QUESTION_FAILED,
  QUESTION_REFUSAL,
  type QuestionReply,
  questionAnswer,
} from '#contract/device/questions.ts'
import type { AgentFrame, HubFrame } from '#contract/kernel/protocol.ts'
import { toDataText } from '#domain/network/members/job-data.ts'
import { isOnline } from './state/machine.ts'
import { type RouterState, loadDocument } from './state/storage.ts'

/* Questions to the device that wait for their answers in memory. An answer is checked: it comes from outside. */

type Result = Extract<AgentFrame, { t: 'job_result' }>

interface Deps {
  readonly storage: DurableObjectStorage
  readonly state: () => RouterState
  readonly send: (frame: HubFrame) => boolean
}

interface Waiting {
  readonly question: DeviceQuestion
  /** Links of the question's network on the device. */
  readonly linkIds: ReadonlySet<string>
  readonly settle: (reply: QuestionReply) => void
}

/** The page of routes asks beside a diagnosis. */
const laneOf = ({ kind }: DeviceQuestion): 'routes' | 'diagnosis' => (kind === 'routes' ? 'routes' : 'diagnosis')

const isLookup = ({ kind }: DeviceQuestion): boolean => kind === 'routes' || kind === 'route'

export class DeviceQuestions {
  private readonly deps: Deps
  private readonly waiting = new Map<string, Waiting>()

  constructor(deps: Deps) {
    this.deps = deps
  }

  async ask(question: DeviceQuestion): Promise<QuestionReply> {
    const { storage, send } = this.deps
    const state = this.deps.state()
    if (!isOnline(state)) return { state: 'offline' }
    if (!state.device?.capabilities?.includes(QUESTION.capability)) return { state: 'too_old' }
    const isBusy = [...this.waiting.values()].some((other) => laneOf(other.question) === laneOf(question))
    if (isBusy) return { state: 'busy' }
    const { kind, ...params } = question
    const networks = loadDocument(storage)?.networks ?? []
    const network = networks.find(({ network_number }) => network_number === params.network_number)
    if (!network) return { state: 'refused', reason: QUESTION_REFUSAL.network }
    const linkIds = new Set(network.links.map(({ id }) => id))
    const id = crypto.randomUUID()
    const waitMs = isLookup(question) ? QUESTION.lookupMs : QUESTION.answerMs
    return new Promise((resolve) => {
      const settle = (reply: QuestionReply) => {
        clearTimeout(timer)
        this.waiting.delete(id)
        resolve(reply)
      }
      const timer = setTimeout(() => settle({ state: 'silent' }), waitMs)
      this.waiting.set(id, { question, linkIds, settle })
      if (!send({ t: 'command', id, kind, params, expires_at: Date.now() + waitMs })) settle({ state: 'offline' })
    })
  }

  /** True for the answer to a question that waits; any other result is one of a command. */
  take(result: Result): boolean {
    const asked = this.waiting.get(result.id)
    asked?.settle(toReply(result, asked))
    return asked !== undefined
  }

  /** The device is gone, and what it was asked with it. */
  disconnected(): void {
    for (const { settle } of this.waiting.values()) settle({ state: 'offline' })
  }
}

const KNOWN_REASONS: readonly string[] = Object.values(QUESTION_REFUSAL)

function toReply({ state, reason = '', data }: Result, { question, linkIds }: Waiting): QuestionReply {
  if (state !== 'done') return { state: 'refused', reason: KNOWN_REASONS.includes(reason) ? reason : QUESTION_FAILED }
  const isSmall = data !== undefined && data !== null && toDataText(data) !== null
  const answer = isSmall ? questionAnswer[question.kind].safeParse(data) : undefined
  if (!answer?.success || !linksOf(answer.data).every((id) => linkIds.has(id)))
    return { state: 'refused', reason: QUESTION_FAILED }
  return { state: 'answered', data: answer.data }
}

/** Links that an answer names. */
function linksOf(answer: Extract<QuestionReply, { state: 'answered' }>['data']): readonly string[] {
  if ('links' in answer) return answer.links
  return 'via' in answer && answer.via && 'link' in answer.via ? [answer.via.link] : []
}
