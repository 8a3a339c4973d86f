import type { ApprovalOutcome } from '../types/index.ts'

/**
 * Reads the answer to `approval/request`. Anything that is not a valid outcome denies: `rejected`.
 *
 * @param answer the result of the request, unchecked
 */
export function readApprovalOutcome(answer: unknown): ApprovalOutcome {
  const outcome = typeof answer === 'object' && answer !== null && 'outcome' in answer ? answer.outcome : undefined
  return outcome === 'allowed-once' || outcome === 'cancelled' ? outcome : 'rejected'
}

/**
 * Waits for the answer to `approval/request` and never rejects: an error answer, a client that does not serve the method, a
 * connection that ends and a request that is given up all deny.
 *
 * @param request what `request('approval/request', …)` returned
 */
export async function approvalOutcome(request: Promise<unknown>): Promise<ApprovalOutcome> {
  try {
    return readApprovalOutcome(await request)
  } catch {
    // Whatever the reason, nobody allowed the operation.
    return 'rejected'
  }
}
