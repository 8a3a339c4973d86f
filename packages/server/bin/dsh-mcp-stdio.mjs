#!/usr/bin/env node
import '../lib/bridge/dsh-mcp-stdio.mjs'
