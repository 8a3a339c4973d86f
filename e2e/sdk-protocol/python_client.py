"""Drives a runtime with the Python SDK and prints what it saw. Arguments: node, runtime program, working directory."""

import json
import sys
import threading

from deepseek_harness import DeepSeekHarness
from pydantic import BaseModel

node, runtime, cwd = sys.argv[1:4]

harness = DeepSeekHarness(
    launch_args_override=(node, *runtime.split("\n")),
    runtime_cwd=cwd,
    cwd=cwd,
    env={"DSH_HOME": cwd},
    provider="scripted",
    model="scripted",
)

with harness:
    first = harness.run("say hello é😀", session_id="a")
    seen = {
        "finalResponse": first.final_response,
        "finishReason": first.finish_reason,
        "types": [event["type"] for event in first.events if event["type"] != "assistant/chunk"],
    }
    try:
        harness.client.request("no/such/method", {}, response_model=BaseModel)
    except Exception as error:  # noqa: BLE001
        seen["unknownMethod"] = [type(error).__name__, str(error)]

    if "small-runtime" in runtime:

        def answer() -> None:
            request = harness.client.next_request()
            harness.client.respond(request.id, {"outcome": "allowed-once"})

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        seen["asked"] = harness.run("ask", session_id="a").final_response
        answering.join(10)

print(json.dumps(seen))
