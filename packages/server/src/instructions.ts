/** What a client's model is told about this endpoint, before anything the deployment adds. */
const workflow = `This server drives a DeepSeek Harness that runs on the user's machine: its agents work in sessions.
To delegate: dsh_start_session {cwd, prompt}, then dsh_wait_session {sessionId, messageId}; while it answers timedOut, call it again.
When it answers needs-input, look at the interactions, ask the user where it matters, then dsh_answer_approval or dsh_answer_question, and wait again.
dsh_read_session has the detail, dsh_get_changes the files, dsh_get_usage the cost.
dsh_send_message continues or corrects a session, dsh_interrupt_session stops it, dsh_fork_session tries an alternative.
A sessionId stays valid after the harness restarts: sending to it resumes it.`

/** The `instructions` of `initialize` and `server/discover`. */
export function endpointInstructions(addition: string | undefined): string {
  return addition === undefined || addition.trim() === '' ? workflow : `${workflow}\n\n${addition.trim()}`
}
