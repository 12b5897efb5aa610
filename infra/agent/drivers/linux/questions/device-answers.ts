import type { AnswerQuestion } from '#infra/agent/questions.ts'
import type { LinuxDevice } from '../linux-device.ts'
import { findProgram, runnerIn } from '../programs.ts'
import { askedNetwork } from './asked-network.ts'
import { type QuestionPorts, linuxAnswers } from './question-jobs.ts'

/** Answers of a device about its networks, each from the namespace in which the network runs. */
export const deviceAnswers = (
  device: Pick<LinuxDevice, 'placeOf' | 'renderingOf' | 'chosenRoutes'>,
  reportOf: QuestionPorts['reportOf'],
): AnswerQuestion =>
  linuxAnswers({
    networkOf(number) {
      const place = device.placeOf(number)
      return place && askedNetwork(device.renderingOf(number), number, place.namespace)
    },
    run: (namespace, name, args, timeoutMs) => runnerIn(() => namespace).run(name, args, { timeoutMs }),
    hasProgram: async (name) => (await findProgram(name)) !== null,
    chosenRoutes: (number) => device.chosenRoutes(number),
    reportOf,
  })
