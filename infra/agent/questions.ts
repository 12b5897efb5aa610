import { type DeviceQuestion, QUESTION_FAILED, deviceQuestion } from '#contract/device/questions.ts'
import type { HubFrame } from '#contract/kernel/protocol.ts'
import type { CommandResult } from './commands.ts'

/* Answers to questions of the hub about the routes of a network. Unlike results of jobs they are not kept. */

/** Answer by the kind of the question; rejects with QuestionRefused, or with a fault of the device. */
export type AnswerQuestion = (question: DeviceQuestion) => Promise<unknown>

/** The device does not answer; the message is one of QUESTION_REFUSAL. */
export class QuestionRefused extends Error {
  override readonly name = 'QuestionRefused'
}

type Command = Extract<HubFrame, { t: 'command' }>

/** Never rejects. Faults stay on the device, because their texts name its addresses. */
export async function answerQuestion(
  { id, kind, params }: Command,
  answer: AnswerQuestion,
  faulty: (error: unknown) => void,
): Promise<CommandResult> {
  try {
    return { t: 'job_result', id, state: 'done', data: await answer(deviceQuestion.parse({ ...params, kind })) }
  } catch (error) {
    if (error instanceof QuestionRefused) return { t: 'job_result', id, state: 'failed', reason: error.message }
    faulty(error)
    return { t: 'job_result', id, state: 'failed', reason: QUESTION_FAILED }
  }
}
