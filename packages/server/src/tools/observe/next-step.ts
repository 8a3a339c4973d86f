import type { WaitOutcome } from '../../harness/index.ts'

const brokenOff = 'The harness ended in the middle of this turn.'

/** What the caller of a wait does next. */
export function nextStep({ reason, moment, turn, parked }: WaitOutcome): string {
  switch (reason) {
    case 'timeout':
      return 'Still working. Call dsh_wait_session again with the same arguments, or look in with dsh_read_session.'
    case 'needs-input': {
      const kinds = new Set(moment.interactions.map((pending) => pending.kind))
      const tools = [
        ...(kinds.has('approval') ? ['dsh_answer_approval'] : []),
        ...(kinds.has('question') ? ['dsh_answer_question'] : []),
      ]
      return `Ask the user where it matters, answer with ${tools.join(' or ')}, then wait again.`
    }
    case 'failed':
      return turn?.error == null
        ? 'The turn was blocked. Read it with dsh_read_session {detail: "full"}.'
        : `The turn failed (${turn.error.code}). Fix the cause, then dsh_send_message to try again.`
    case 'aborted':
      return turn?.outcome === 'interrupted'
        ? `${brokenOff} dsh_send_message: tell it to go on.`
        : 'The turn was stopped. dsh_send_message continues from here.'
    case 'discarded':
      return 'The message was taken out of the queue before it ran. Send it again if it is still wanted.'
    case 'stored':
      if (parked) {
        return 'The message has not run: it waits in the queue of the stored session. dsh_send_message revives it and starts both.'
      }
      return turn?.outcome === 'interrupted'
        ? `${brokenOff} dsh_send_message revives the session: tell it to go on.`
        : 'Nothing runs: the session is stored. dsh_send_message revives it.'
    case 'already-idle':
      return parked
        ? 'The message waits in the queue of an idle session. dsh_send_message starts it together with the next.'
        : 'Nothing is running. dsh_send_message gives it work.'
    case 'completed':
      return turn?.outcome === 'max-tokens'
        ? 'The answer was cut by the token limit. dsh_send_message to let it go on.'
        : 'Done. dsh_read_session or dsh_get_changes for detail, dsh_send_message to follow up.'
    default:
      return reason satisfies never
  }
}
