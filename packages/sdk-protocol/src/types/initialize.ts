/** Parameters of `initialize`, the handshake. Sent once, before anything else; await its answer. */
export interface InitializeParams {
  /** Working directory of the sessions. The runtime resolves a relative one against its own. */
  cwd: string
  /** Id of the model's route. */
  provider: string
  model: string
  /** An effort that the model's adapter knows, not empty; left out, the model's default holds. */
  reasoningEffort?: string
  /** Longest output of one model call, a positive safe integer; left out, the adapter's default holds. */
  maxTokens?: number
  /** The client answers `approval/request`. */
  approvalRequests?: boolean
  capabilities?: ClientCapabilities
}

export interface ClientCapabilities {
  /** The client answers `user-question/ask`. */
  userQuestions?: boolean
}

export interface InitializeResult {
  serverInfo: {
    /** `deepseek-harness-sdk-runtime` */
    name: string
    version: string
  }
}
