# In the project; the time-out is in milliseconds: a call waits for the tests.
gemini mcp add --timeout 660000 tribunal tribunal mcp
